import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { AlertDialog } from './AlertDialog.tsx';

function DeleteProject({
  onConfirm,
  typedName,
}: {
  onConfirm: () => void | Promise<void>;
  typedName?: string;
}) {
  const [open, setOpen] = useState(true);
  return (
    <AlertDialog
      open={open}
      onOpenChange={setOpen}
      title="Delete project fleet-a"
      verb="Delete project"
      typedName={typedName}
      onConfirm={onConfirm}
    >
      14 devices and 3 tokens.
    </AlertDialog>
  );
}

it('focuses Cancel, and Cancel closes without confirming', async () => {
  const confirm = vi.fn();
  render(<DeleteProject onConfirm={confirm} />);
  const cancel = await screen.findByRole('button', { name: 'Cancel' });
  await waitFor(() => expect(cancel).toHaveFocus());
  await userEvent.click(cancel);
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(confirm).not.toHaveBeenCalled();
});

it('confirms only once the name is typed or pasted', async () => {
  const user = userEvent.setup();
  const confirm = vi.fn();
  render(<DeleteProject onConfirm={confirm} typedName="fleet-a" />);
  const verb = await screen.findByRole('button', { name: /Delete project/u });
  expect(verb).toHaveAttribute('aria-disabled', 'true');
  expect(verb).toHaveAccessibleDescription('Type fleet-a first');
  await user.click(verb);
  await user.type(screen.getByLabelText('Type fleet-a to confirm'), 'fleet-b{Enter}');
  expect(confirm).not.toHaveBeenCalled();

  await user.clear(screen.getByLabelText('Type fleet-a to confirm'));
  await user.click(screen.getByLabelText('Type fleet-a to confirm'));
  await user.paste('fleet-a');
  await user.click(screen.getByRole('button', { name: 'Delete project' }));
  expect(confirm).toHaveBeenCalledOnce();
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
});

it('stays open and shows the error', async () => {
  render(
    <DeleteProject
      onConfirm={() => Promise.reject(new Error('The project has a device that is connected.'))}
    />,
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Delete project' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('The project has a device that is connected.');
  expect(screen.getByRole('alertdialog')).toBeInTheDocument();
});
