import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { FilterChips } from './FilterChips.tsx';

function Status() {
  const [value, setValue] = useState<'all' | 'off'>('all');
  const chips = [
    { value: 'all', label: 'All', count: 12 },
    { value: 'off', label: 'Disconnected', count: 2, icon: <span aria-hidden /> },
  ] as const;
  return <FilterChips label="Status" {...{ chips, value }} onValueChange={setValue} />;
}

it('has exactly one pressed chip, named by its label and count', async () => {
  const user = userEvent.setup();
  render(<Status />);
  expect(screen.getByRole('group', { name: 'Status' })).toBeInTheDocument();
  expect(screen.getByRole('button', { pressed: true })).toHaveAccessibleName('All 12');
  await user.tab();
  await user.tab();
  await user.keyboard(' ');
  expect(screen.getByRole('button', { pressed: true })).toHaveAccessibleName('Disconnected 2');
});
