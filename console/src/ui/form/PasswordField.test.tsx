import { createEvent, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { PasswordField } from './PasswordField.tsx';

it('shows and hides the password', async () => {
  render(<PasswordField label="Password" value="secret" onValueChange={() => undefined} />);
  expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'password');
  await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
  expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'text');
  expect(screen.getByRole('button', { name: 'Hide password' })).toHaveAttribute('aria-pressed', 'true');
});

it('says that Caps Lock is on', () => {
  render(<PasswordField label="Password" value="" onValueChange={() => undefined} />);
  const input = screen.getByLabelText('Password');
  fireEvent(input, createEvent.keyDown(input, { key: 'A', modifierCapsLock: true }));
  expect(screen.getByText('Caps Lock is on')).toBeInTheDocument();
  fireEvent(input, createEvent.keyDown(input, { key: 'a', modifierCapsLock: false }));
  expect(screen.queryByText('Caps Lock is on')).toBeNull();
});
