import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ComponentProps, useState } from 'react';
import { expect, it, vi } from 'vitest';
import { TextField } from '../form/TextField.tsx';
import { FormDialog } from './FormDialog.tsx';

function Invite(props: Partial<ComponentProps<typeof FormDialog>>) {
  const [open, setOpen] = useState(false);
  const [email, setEmail] = useState('');
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Invite User
      </button>
      <FormDialog
        title="Invite a user"
        submitLabel="Invite"
        onSubmit={() => setOpen(false)}
        onReset={() => setEmail('')}
        {...props}
        open={open}
        onOpenChange={setOpen}
      >
        <TextField label="Email" required value={email} onValueChange={setEmail} />
      </FormDialog>
    </>
  );
}

it('focuses its first field, submits on Enter and restores the focus', async () => {
  const user = userEvent.setup();
  render(<Invite />);
  await user.click(screen.getByRole('button', { name: 'Invite User' }));
  await waitFor(() => expect(screen.getByLabelText('Email (required)')).toHaveFocus());
  await user.keyboard('mara@harbour.example{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(screen.getByRole('button', { name: 'Invite User' })).toHaveFocus());
});

it('does not submit while canSubmit is false', async () => {
  const user = userEvent.setup();
  const submit = vi.fn();
  render(<Invite canSubmit={false} onSubmit={submit} />);
  await user.click(screen.getByRole('button', { name: 'Invite User' }));
  await user.type(await screen.findByLabelText('Email (required)'), 'x{Enter}');
  expect(submit).not.toHaveBeenCalled();
  expect(screen.getByRole('button', { name: 'Invite' })).toBeDisabled();
});

it('is empty when it opens again', async () => {
  const user = userEvent.setup();
  render(<Invite error="This person is a member already." />);
  await user.click(screen.getByRole('button', { name: 'Invite User' }));
  await user.type(await screen.findByLabelText('Email (required)'), 'mara');
  expect(screen.getByRole('alert')).toHaveTextContent('This person is a member already.');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Invite User' }));
  expect(await screen.findByLabelText('Email (required)')).toHaveValue('');
});
