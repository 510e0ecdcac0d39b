import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { SearchField } from './SearchField.tsx';

function Filter() {
  const [value, setValue] = useState('');
  return (
    <>
      <input aria-label="Name" />
      <SearchField label="Filter devices" value={value} onValueChange={setValue} />
    </>
  );
}

it('is focused by a slash, but not while the user types elsewhere', async () => {
  const user = userEvent.setup();
  render(<Filter />);
  const field = screen.getByRole('searchbox', { name: 'Filter devices' });
  await user.click(screen.getByLabelText('Name'));
  await user.keyboard('/');
  expect(field).not.toHaveFocus();
  expect(screen.getByLabelText('Name')).toHaveValue('/');
  (document.activeElement as HTMLElement).blur();
  await user.keyboard('/');
  expect(field).toHaveFocus();
  expect(field).toHaveValue('');
});

it('is cleared by Escape, then blurred; its Clear button keeps the focus in the field', async () => {
  const user = userEvent.setup();
  render(<Filter />);
  const field = screen.getByRole('searchbox');
  await user.type(field, 'crane');
  await user.keyboard('{Escape}');
  expect(field).toHaveValue('');
  expect(field).toHaveFocus();
  await user.keyboard('{Escape}');
  expect(field).not.toHaveFocus();
  await user.type(field, 'crane');
  await user.click(screen.getByRole('button', { name: 'Clear' }));
  expect(field).toHaveValue('');
  expect(field).toHaveFocus();
});
