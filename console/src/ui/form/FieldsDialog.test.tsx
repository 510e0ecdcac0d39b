import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ComponentProps, useState } from 'react';
import { boolean, email, nonEmpty, object, pipe, string, trim } from 'valibot';
import { expect, it } from 'vitest';
import { connectToasts, type ToastRequest } from '../overlay/toast.ts';
import { DraftsContext } from './drafts.ts';
import { FieldsDialog } from './FieldsDialog.tsx';

const schema = object({
  name: pipe(string(), trim(), nonEmpty('Name must not be empty.')),
  email: pipe(string(), email('Please enter a valid email address.')),
  role: string(),
  isAdmin: boolean(),
});
type Submitted = { name: string; email: string; role: string; isAdmin: boolean };

function NewUser({
  onSubmit,
  draft,
}: {
  onSubmit: (values: Submitted) => unknown;
  draft?: string | undefined;
}) {
  const [open, setOpen] = useState(false);
  const props: Omit<ComponentProps<typeof FieldsDialog>, 'fields' | 'schema' | 'onSubmit' | 'unsent'> = {
    open,
    onOpenChange: setOpen,
    title: 'New User',
    submitLabel: 'Create',
  };
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <FieldsDialog
        {...props}
        fields={{
          name: { label: 'Name', required: true, hint: 'What others see.' },
          email: { label: 'Email', required: true, initial: 'mara@harbour.example' },
          role: {
            kind: 'select',
            label: 'Role',
            options: [{ value: 'owner', label: 'Owner' }],
            initial: 'owner',
          },
          isAdmin: { kind: 'checkbox', label: 'Administrator' },
        }}
        schema={schema}
        onSubmit={onSubmit}
        draft={draft}
      />
    </>
  );
}

async function opened(onSubmit: (values: Submitted) => unknown, draft?: string) {
  const user = userEvent.setup();
  const view = render(
    <DraftsContext value={new Map()}>
      <NewUser onSubmit={onSubmit} draft={draft} />
    </DraftsContext>,
  );
  const opener = screen.getByRole('button', { name: 'Open' });
  await user.click(opener);
  const dialog = within(await screen.findByRole('dialog', { name: 'New User' }));
  return { user, opener, dialog, ...view };
}
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

it('is validated on opening and on every change, and submits the parsed values', async () => {
  const submitted: Submitted[] = [];
  const { user, dialog, opener } = await opened((values) => submitted.push(values));
  const create = dialog.getByRole('button', { name: 'Create' });
  expect(create).toBeDisabled();
  const name = dialog.getByRole('textbox', { name: 'Name (required)' });
  expect(name).toHaveAccessibleDescription('What others see.');
  await user.type(name, 'x{Backspace}');
  await user.tab();
  expect(dialog.getByText('Name must not be empty.')).toBeVisible();
  await user.type(name, ' Mara ');
  await user.click(dialog.getByRole('checkbox', { name: 'Administrator' }));
  await user.click(create);
  await isClosed();
  expect(submitted).toEqual([{ name: 'Mara', email: 'mara@harbour.example', role: 'owner', isAdmin: true }]);
  await waitFor(() => expect(opener).toHaveFocus());
});

it('is empty and validated again when it opens the next time', async () => {
  const { user, dialog, opener } = await opened(() => {});
  await user.type(dialog.getByRole('textbox', { name: /Name/u }), 'Mara');
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await isClosed();
  await user.click(opener);
  expect(await screen.findByRole('textbox', { name: /Name/u })).toHaveValue('');
  expect(screen.getByRole('button', { name: 'Create' })).toBeDisabled();
});

it('has the browser ask before a reload while something is typed', async () => {
  const { user, dialog } = await opened(() => {});
  const asks = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  expect(asks()).toBe(false);
  await user.type(dialog.getByRole('textbox', { name: /Name/u }), 'Mara');
  expect(asks()).toBe(true);
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await isClosed();
  expect(asks()).toBe(false);
});

it('with a draft is as it was when it opens after Escape, and empty after Cancel or a submit', async () => {
  const { user, opener, dialog } = await opened(() => {}, 'new user');
  const name = () => screen.findByRole('textbox', { name: /Name/u });
  await user.type(await name(), 'Mara');
  await user.click(dialog.getByRole('checkbox', { name: 'Administrator' }));
  await user.keyboard('{Escape}');
  await isClosed();
  await user.click(opener);
  expect(await name()).toHaveValue('Mara');
  expect(screen.getByRole('checkbox', { name: 'Administrator' })).toBeChecked();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await isClosed();
  await user.click(opener);
  expect(await name()).toHaveValue('');
  await user.type(await name(), 'Jon');
  await user.keyboard('{Escape}');
  await isClosed();
  await user.click(opener);
  await user.click(await screen.findByRole('button', { name: 'Create' }));
  await isClosed();
  await user.click(opener);
  expect(await name()).toHaveValue('');
});

it('with a draft has what could not be submitted after it was closed by Escape', async () => {
  const { promise, reject } = Promise.withResolvers<void>();
  const toasts: ToastRequest[] = [];
  const disconnect = connectToasts({ add: (request) => toasts.push(request) });
  const { user, opener, dialog } = await opened(() => promise, 'new user');
  await user.type(dialog.getByRole('textbox', { name: /Name/u }), 'Mara{Enter}');
  await user.keyboard('{Escape}');
  await isClosed();
  await user.click(opener);
  expect(await screen.findByRole('textbox', { name: /Name/u }), 'it is being submitted').toHaveValue('');
  await user.keyboard('{Escape}');
  await isClosed();
  reject(new Error('The name is taken.'));
  await waitFor(() => expect(toasts).toHaveLength(1));
  await user.click(opener);
  expect(await screen.findByRole('textbox', { name: /Name/u })).toHaveValue('Mara');
  disconnect();
});

it('with a draft that was submitted and closed meanwhile is empty after that succeeds', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { user, opener } = await opened(() => promise, 'new user');
  const name = () => screen.findByRole('textbox', { name: /Name/u });
  await user.type(await name(), 'Mara');
  await user.keyboard('{Escape}');
  await isClosed();
  await user.click(opener);
  await user.click(await screen.findByRole('button', { name: 'Create' }));
  await user.keyboard('{Escape}');
  await isClosed();
  resolve();
  await user.click(opener);
  expect(await name()).toHaveValue('');
});

it('keeps a newer draft when an earlier submit fails', async () => {
  const { promise, reject } = Promise.withResolvers<void>();
  const toasts: ToastRequest[] = [];
  const disconnect = connectToasts({ add: (request) => toasts.push(request) });
  const { user, opener } = await opened(() => promise, 'new user');
  const name = () => screen.findByRole('textbox', { name: /Name/u });
  await user.type(await name(), 'Mara{Enter}');
  await user.keyboard('{Escape}');
  await isClosed();
  await user.click(opener);
  await user.type(await name(), 'Jon');
  await user.keyboard('{Escape}');
  await isClosed();
  reject(new Error('The name is taken.'));
  await waitFor(() => expect(toasts).toHaveLength(1));
  await user.click(opener);
  expect(await name()).toHaveValue('Jon');
  disconnect();
});

it('keeps what was typed after a failure, says why, and can be submitted again', async () => {
  const answers: (Error | undefined)[] = [new Error('The hub cannot be reached.'), undefined];
  const { user, dialog } = await opened(() => {
    const answer = answers.shift();
    if (answer !== undefined) throw answer;
  });
  await user.type(dialog.getByRole('textbox', { name: /Name/u }), 'Mara{Enter}');
  expect(await dialog.findByRole('alert')).toHaveTextContent('The hub cannot be reached.');
  expect(dialog.getByRole('textbox', { name: /Name/u })).toHaveValue('Mara');
  await user.type(dialog.getByRole('textbox', { name: /Name/u }), ' K');
  expect(dialog.queryByRole('alert'), 'it was about what was typed before').toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Create' }));
  await isClosed();
});

it('is busy while the submit is pending; a failure after closing shows as a toast', async () => {
  const { promise, reject } = Promise.withResolvers<void>();
  const toasts: ToastRequest[] = [];
  const disconnect = connectToasts({ add: (request) => toasts.push(request) });
  const { user, dialog } = await opened(() => promise);
  await user.type(dialog.getByRole('textbox', { name: /Name/u }), 'Mara{Enter}');
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Create' })).toHaveAttribute('aria-busy'));
  await user.keyboard('{Escape}');
  await isClosed();
  reject(new Error('The name is taken.'));
  await waitFor(() =>
    expect(toasts).toMatchObject([{ title: 'Not done: Create', text: 'The name is taken.' }]),
  );
  disconnect();
});

it('that is open again when its former submit succeeds keeps what was typed', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { user, dialog, opener } = await opened(() => promise);
  await user.type(dialog.getByRole('textbox', { name: /Name/u }), 'Mara');
  await user.click(dialog.getByRole('button', { name: 'Create' }));
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await isClosed();
  await user.click(opener);
  await user.type(await screen.findByRole('textbox', { name: /Name/u }), 'Jon');
  resolve();
  await promise;
  await user.keyboard('as');
  expect(screen.getByRole('textbox', { name: /Name/u })).toHaveValue('Jonas');
  expect(screen.getByRole('dialog', { name: 'New User' })).toBeVisible();
});

it('takes initial values that come while it is closed as valid input', async () => {
  const user = userEvent.setup();
  const submitted: unknown[] = [];
  const words = object({ bucket: pipe(string(), nonEmpty()), key: pipe(string(), nonEmpty()) });
  const dialog = (initial: string, open: boolean) => (
    <FieldsDialog
      open={open}
      onOpenChange={() => undefined}
      title="Store"
      submitLabel="Save"
      fields={{
        bucket: { label: 'Bucket', required: true, initial },
        key: { label: 'Key', required: true, initial },
      }}
      schema={words}
      onSubmit={(values) => submitted.push(values)}
    />
  );
  const { rerender } = render(dialog('', false));
  rerender(dialog('saved', false));
  rerender(dialog('saved', true));
  await user.type(await screen.findByLabelText('Bucket (required)'), '-2');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(submitted).toEqual([{ bucket: 'saved-2', key: 'saved' }]));
});
