import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useForm } from '@tanstack/react-form';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { fieldProps } from './field-state.ts';
import { TextField } from './TextField.tsx';

const name = v.pipe(v.string(), v.trim(), v.nonEmpty('Please enter your email address.'));

function Form() {
  const form = useForm({ defaultValues: { email: '' } });
  return (
    <form.Field name="email" validators={{ onMount: name, onChange: name }}>
      {(field) => <TextField label="Email" required {...fieldProps(field)} />}
    </form.Field>
  );
}

function tone(): string | null {
  return screen.getByLabelText(/Email/u).getAttribute('data-tone');
}

it('turns red when changed, blurred and invalid, and green when valid', async () => {
  const user = userEvent.setup();
  render(<Form />);
  const input = screen.getByLabelText('Email (required)');
  expect(tone()).toBe('plain');

  await user.click(input);
  await user.tab();
  expect(tone()).toBe('plain');

  await user.type(input, 'a');
  expect(tone()).toBe('green');

  await user.clear(input);
  await user.tab();
  expect(tone()).toBe('red');
  expect(input).toBeInvalid();
  expect(screen.getByText('Please enter your email address.')).toBeVisible();
  expect(input).toHaveAccessibleDescription('Please enter your email address.');

  await user.type(input, 'mara@harbour.example');
  expect(tone()).toBe('green');
  expect(input).toBeValid();
  expect(screen.queryByText('Please enter your email address.')).toBeNull();
});

it('labels an optional field', () => {
  render(<TextField label="Name" required={false} value="" onValueChange={() => undefined} />);
  expect(screen.getByLabelText('Name (optional)')).toBeInTheDocument();
});
