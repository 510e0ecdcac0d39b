import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { Select } from './Select.tsx';

const options = [
  { value: 'owner', label: 'Owner' },
  { value: 'member', label: 'Member' },
  { value: 'guest', label: 'Guest' },
];

function Role({ onChoose = () => undefined }: { onChoose?: (value: string | null) => void }) {
  const [value, setValue] = useState<string | null>(null);
  function choose(next: string | null): void {
    setValue(next);
    onChoose(next);
  }
  return (
    <Select
      label="Role"
      required
      description="What they may do."
      {...{ options, value }}
      onValueChange={choose}
    />
  );
}

it('is named and described by its field, and shows that nothing is selected', () => {
  render(<Role />);
  const role = screen.getByRole('combobox', { name: 'Role (required)' });
  expect(role).toHaveAccessibleDescription('What they may do.');
  expect(role).toHaveTextContent('None');
});

it('opens, moves and selects by keyboard alone, and gets the focus back', async () => {
  const user = userEvent.setup();
  const choose = vi.fn();
  render(<Role onChoose={choose} />);
  const role = screen.getByRole('combobox');
  await user.tab();
  expect(role).toHaveFocus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.getByRole('option', { name: 'Owner' })).toHaveFocus());
  await user.keyboard('{ArrowDown}{Enter}');
  await waitFor(() => expect(screen.queryByRole('listbox')).toBeNull());
  expect(choose).toHaveBeenCalledExactlyOnceWith('member');
  expect(role).toHaveTextContent('Member');
  await waitFor(() => expect(role).toHaveFocus());
});

it('selects nothing on Escape', async () => {
  const user = userEvent.setup();
  const choose = vi.fn();
  render(<Role onChoose={choose} />);
  await user.click(screen.getByRole('combobox'));
  await screen.findByRole('option', { name: 'Guest' });
  await user.keyboard('{ArrowDown}{Escape}');
  await waitFor(() => expect(screen.queryByRole('listbox')).toBeNull());
  expect(choose).not.toHaveBeenCalled();
});

it('shows its error once it is changed, blurred and invalid', () => {
  render(
    <Select
      label="Role"
      value={null}
      onValueChange={() => undefined}
      dirty
      blurred
      valid={false}
      error="Please choose a role."
      {...{ options }}
    />,
  );
  expect(screen.getByRole('combobox')).toBeInvalid();
  expect(screen.getByRole('combobox')).toHaveAccessibleDescription('Please choose a role.');
});
