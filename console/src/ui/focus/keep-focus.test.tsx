import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect, useState } from 'react';
import { expect, it } from 'vitest';
import { AlertDialog } from '../overlay/AlertDialog.tsx';
import { keepFocus } from './keep-focus.ts';

function Tokens() {
  const [names, setNames] = useState(['gate', 'quay']);
  const [nameToDelete, setNameToDelete] = useState<string>();
  useEffect(keepFocus, []);
  return (
    <main id="content">
      <h1 tabIndex={-1}>Security</h1>
      <section>
        <h2>Tokens</h2>
        {names.map((name) => (
          <button key={name} type="button" onClick={() => setNameToDelete(name)}>
            Delete {name}
          </button>
        ))}
        <button type="button" onClick={() => setNames([])}>
          Delete all
        </button>
      </section>
      <AlertDialog
        open={nameToDelete !== undefined}
        onOpenChange={() => setNameToDelete(undefined)}
        title="Delete token"
        verb="Delete"
        onConfirm={() => setNames(names.filter((name) => name !== nameToDelete))}
      >
        It cannot be used any more.
      </AlertDialog>
    </main>
  );
}

function Section() {
  const [isShown, setIsShown] = useState(true);
  useEffect(keepFocus, []);
  return (
    <main id="content">
      <h1>Devices</h1>
      {isShown && (
        <section>
          <h2>Connect</h2>
          <button type="button" onClick={() => setIsShown(false)}>
            Done
          </button>
        </section>
      )}
    </main>
  );
}

it('moves to the heading of the section whose button was removed by a confirmed deletion', async () => {
  const user = userEvent.setup();
  render(<Tokens />);
  await user.click(screen.getByRole('button', { name: 'Delete gate' }));
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Delete gate' })).toBeNull());
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Tokens' })).toHaveFocus());
});

it('moves to the heading of the page when the whole section was removed', async () => {
  render(<Section />);
  await userEvent.click(screen.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Devices' })).toHaveFocus());
});

it('leaves the focus alone while the focused element exists', async () => {
  const user = userEvent.setup();
  render(<Tokens />);
  await user.click(screen.getByRole('button', { name: 'Delete all' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Delete gate' })).toBeNull());
  expect(screen.getByRole('button', { name: 'Delete all' })).toHaveFocus();
});
