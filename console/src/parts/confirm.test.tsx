import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectToasts, type ToastRequest } from '../ui/overlay/toast.ts';
import { confirm, type Confirmation } from './confirm.ts';
import { ConfirmHost } from './ConfirmHost.tsx';

let toasts: ToastRequest[] = [];
let disconnect = () => {};
beforeEach(() => {
  toasts = [];
  disconnect = connectToasts({ add: (request) => toasts.push(request) });
});
afterEach(() => disconnect());

const dialogText = { title: 'Delete token quay', text: 'It is cut off at once.', verb: 'Delete' };

/** A console of two pages with the host in its shell; a press of Ask asks. */
async function show(action: Confirmation['action'], more: Partial<Confirmation> = {}) {
  const outcomes: boolean[] = [];
  const ask = async () => {
    outcomes.push(await confirm({ ...dialogText, action, done: 'Token quay was deleted', ...more }));
  };
  function Page() {
    const [isGone, setIsGone] = useState(false);
    return (
      <>
        {!isGone && (
          <button type="button" onClick={() => void ask()}>
            Ask
          </button>
        )}
        <button type="button" onClick={() => setIsGone(true)}>
          Remove
        </button>
      </>
    );
  }
  const shell = createRootRoute({
    component: () => (
      <>
        <Outlet />
        <ConfirmHost />
      </>
    ),
  });
  const routes = [
    createRoute({ getParentRoute: () => shell, path: '/', component: Page }),
    createRoute({ getParentRoute: () => shell, path: '/other', component: () => <h1>Other</h1> }),
  ];
  const router = createRouter({
    routeTree: shell.addChildren(routes),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  });
  const view = render(<RouterProvider router={router as never} />);
  const user = userEvent.setup();
  const asker = await screen.findByRole('button', { name: 'Ask' });
  await user.click(asker);
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete token quay' }));
  return { ...view, user, router, asker, dialog, outcomes };
}
const isClosed = () => waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());

test('Cancel has the focus, does nothing, and gives the focus back', async () => {
  const calls: string[] = [];
  const { user, dialog, asker, outcomes } = await show(() => calls.push('deleted'));
  expect(dialog.getByText('It is cut off at once.')).toBeVisible();
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus());
  await user.keyboard('{Enter}');
  await isClosed();
  expect(calls).toEqual([]);
  expect(outcomes).toEqual([false]);
  await waitFor(() => expect(asker).toHaveFocus());
});

test('is busy while the action runs, then closes with a toast', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { user, dialog, outcomes } = await show(() => promise);
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  expect(dialog.getByRole('button', { name: 'Delete' })).toHaveAttribute('aria-busy', 'true');
  expect(toasts).toEqual([]);
  resolve();
  await isClosed();
  expect(outcomes).toEqual([true]);
  expect(toasts).toMatchObject([{ title: 'Token quay was deleted', tone: 'ok' }]);
});

test('a failure shows in the dialog as one sentence, and the action can be tried again', async () => {
  const answers: (Error | undefined)[] = [new Error('Only an owner may do this.'), undefined];
  const { user, dialog, outcomes } = await show(() => {
    const answer = answers.shift();
    if (answer !== undefined) throw answer;
  });
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent(/^Only an owner may do this\.$/u);
  expect(toasts).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  await isClosed();
  expect(outcomes).toEqual([true]);
});

test('the name has to be typed, and stays in the dialog while it closes', async () => {
  const { user, dialog } = await show(() => {}, { typedName: 'quay' });
  const verb = () => dialog.getByRole('button', { name: 'Delete' });
  expect(verb()).toHaveAttribute('aria-disabled', 'true');
  await user.type(dialog.getByLabelText('Type quay to confirm'), 'quay');
  expect(verb()).not.toHaveAttribute('aria-disabled');
  const titles: (string | null)[] = [];
  const observer = new MutationObserver(() =>
    titles.push(screen.queryByRole('heading')?.textContent ?? null),
  );
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  await user.click(verb());
  await isClosed();
  observer.disconnect();
  expect(new Set(titles.filter((title) => title !== null))).toEqual(new Set(['Delete token quay']));
});

test('works when what asked disappears', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { user, dialog, outcomes } = await show(() => promise);
  await user.click(screen.getByText('Remove'));
  expect(screen.queryByText('Ask')).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  resolve();
  await isClosed();
  expect(outcomes).toEqual([true]);
});

test('leaving the page cancels', async () => {
  const { router, outcomes } = await show(() => {});
  await router.navigate({ to: '/other' as never });
  await screen.findByRole('heading', { name: 'Other' });
  await isClosed();
  expect(outcomes).toEqual([false]);
});

test('an action that goes to another page is not cancelled by that', async () => {
  const { user, dialog, router, outcomes } = await show(() => router.navigate({ to: '/other' as never }));
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  await screen.findByRole('heading', { name: 'Other' });
  await isClosed();
  expect(outcomes).toEqual([true]);
  expect(toasts).toHaveLength(1);
});

test('a failure after the dialog was closed shows as a toast', async () => {
  const { promise, reject } = Promise.withResolvers<void>();
  const { user, dialog, outcomes } = await show(() => promise);
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  await user.keyboard('{Escape}');
  await isClosed();
  expect(outcomes).toEqual([]);
  reject(new Error('The hub cannot be reached.'));
  await waitFor(() => expect(outcomes).toEqual([false]));
  expect(toasts).toMatchObject([
    { title: 'Not done: Delete token quay', text: 'The hub cannot be reached.', tone: 'danger' },
  ]);
});

test('the end of the shell cancels', async () => {
  const { unmount, outcomes } = await show(() => {});
  unmount();
  await waitFor(() => expect(outcomes).toEqual([false]));
});
