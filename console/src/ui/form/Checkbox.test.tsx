import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { Checkbox } from './Checkbox.tsx';

const message = 'Please agree to the Terms of Service and Privacy Policy.';

function Consent({ blurred = false }: { blurred?: boolean }) {
  const [checked, setChecked] = useState(false);
  return (
    <Checkbox
      label="I agree"
      required
      dirty
      valid={checked}
      error={message}
      {...{ checked, blurred }}
      onCheckedChange={setChecked}
    />
  );
}

it('toggles by its label and by the space bar', async () => {
  const user = userEvent.setup();
  render(<Consent />);
  const box = screen.getByRole('checkbox', { name: 'I agree' });
  await user.click(screen.getByText('I agree'));
  expect(box).toBeChecked();
  await user.keyboard(' ');
  expect(box).not.toBeChecked();
  expect(box).toBeRequired();
});

it('shows its error after blur, until it is valid', async () => {
  const user = userEvent.setup();
  render(<Consent blurred />);
  const box = screen.getByRole('checkbox');
  expect(box).toBeInvalid();
  expect(box).toHaveAccessibleDescription(message);
  await user.click(box);
  expect(screen.queryByText(message)).toBeNull();
});
