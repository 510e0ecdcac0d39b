import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { Combobox } from './Combobox.tsx';

const options = ['firmware', 'edge-runtime', 'field-tools'].map((name) => ({ value: name, label: name }));

function Repository({ onChoose = () => undefined }: { onChoose?: (value: string | null) => void }) {
  const [value, setValue] = useState<string | null>(null);
  function choose(next: string | null): void {
    setValue(next);
    onChoose(next);
  }
  return <Combobox label="Repository" placeholder="None" {...{ options, value }} onValueChange={choose} />;
}

it('filters by typing and selects by keyboard alone', async () => {
  const user = userEvent.setup();
  const choose = vi.fn();
  render(<Repository onChoose={choose} />);
  const field = screen.getByRole('combobox', { name: 'Repository' });
  await user.tab();
  expect(field).toHaveFocus();
  await user.keyboard('run');
  expect(await screen.findByRole('option', { name: 'edge-runtime' })).toBeInTheDocument();
  expect(screen.getAllByRole('option')).toHaveLength(1);
  await user.keyboard('{ArrowDown}{Enter}');
  expect(choose).toHaveBeenCalledExactlyOnceWith('edge-runtime');
  expect(field).toHaveValue('edge-runtime');
  expect(field).toHaveFocus();
});

it('says that nothing matches, and keeps the value', async () => {
  const user = userEvent.setup();
  const choose = vi.fn();
  render(<Repository onChoose={choose} />);
  await user.type(screen.getByRole('combobox', { name: 'Repository' }), 'zebra');
  expect(await screen.findByText('No matches')).toBeVisible();
  expect(screen.queryByRole('option')).toBeNull();
  expect(choose).not.toHaveBeenCalled();
});

it('is emptied by Clear, which shows once there is a value', async () => {
  const user = userEvent.setup();
  const choose = vi.fn();
  render(<Repository onChoose={choose} />);
  expect(screen.queryByRole('button', { name: 'Clear' })).toBeNull();
  await user.type(screen.getByRole('combobox', { name: 'Repository' }), 'firm');
  await user.keyboard('{ArrowDown}{Enter}');
  await user.click(await screen.findByRole('button', { name: 'Clear' }));
  expect(choose).toHaveBeenLastCalledWith(null);
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'Repository' })).toHaveValue(''));
});
