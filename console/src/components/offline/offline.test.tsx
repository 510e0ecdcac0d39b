import { ActionError } from '@corral/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderConsole, signedIn } from '../../../test/render-console.tsx';

afterEach(() => vi.useRealTimers());

/** A console whose hub goes away and comes back when told. */
async function openWithHub(address: string) {
  // Time goes on as it does, and jumps when the test says so.
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let isThere = true;
  const away = () => new ActionError('NotReady', 'The hub cannot be reached.', { cause: new TypeError() });
  const answers = Object.fromEntries(
    Object.entries(signedIn).map(([name, answer]) => [
      name,
      (input: never) => {
        if (!isThere) throw away();
        return (answer as (input: never) => unknown)(input);
      },
    ]),
  );
  const view = renderConsole(address, answers);
  await screen.findByRole('heading', { level: 1 });
  return {
    ...view,
    leave: () => {
      isThere = false;
      act(() => view.stream()?.onDown());
    },
    comeBack: () => {
      isThere = true;
    },
  };
}

const banner = () => screen.queryByText(/The hub cannot be reached\. What you see may be old/);

async function wait(ms: number): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(ms));
}

test('a hub that is away for 3 s is said in a banner, and what is on the page stays', async () => {
  const view = await openWithHub('/settings/profile');
  act(() => view.stream()?.onOpen());
  view.leave();
  await wait(2000);
  expect(screen.getByText('Offline')).toBeVisible();
  expect(banner()).toBeNull();
  await wait(1100);
  expect(banner()).toBeVisible();
  expect(screen.getByRole('textbox', { name: /Display name/ })).toHaveValue('Mara Keller');
});

test('nothing can be changed while the hub is away, and the button says why', async () => {
  const view = await openWithHub('/settings/profile');
  act(() => view.stream()?.onOpen());
  view.leave();
  await wait(3100);
  const save = screen.getByRole('button', { name: 'Save' });
  expect(save).toHaveAttribute('aria-disabled', 'true');
  expect(save).toHaveAccessibleDescription('The hub cannot be reached right now.');
  expect(screen.getByRole('switch', { name: 'Single-key shortcuts' })).not.toHaveAttribute(
    'aria-disabled',
    'true',
  );
});

test('the hub is tried again by itself, and everything is read when it is back', async () => {
  const view = await openWithHub('/settings/profile');
  act(() => view.stream()?.onOpen());
  view.leave();
  await wait(3100);
  const readBefore = view.queryClient.getQueryState(['users_GetUserDetails', { userId: signedInId() }]);
  view.comeBack();
  await wait(6000);
  expect(banner()).toBeNull();
  expect(screen.getByText('Polling')).toBeVisible();
  const readAfter = view.queryClient.getQueryState(['users_GetUserDetails', { userId: signedInId() }]);
  expect(readAfter?.dataUpdateCount).toBeGreaterThan(readBefore?.dataUpdateCount ?? 0);
});

test('Try now asks the hub at once', async () => {
  const view = await openWithHub('/settings/profile');
  act(() => view.stream()?.onOpen());
  view.leave();
  await wait(3100);
  view.comeBack();
  await view.user.click(
    within(screen.getByText(/The hub cannot be reached\. What/).parentElement as HTMLElement).getByRole(
      'button',
      { name: 'Try now' },
    ),
  );
  await waitFor(() => expect(banner()).toBeNull());
});

function signedInId(): string {
  const answer = signedIn.actor_GetActor?.({}) as { actor: { userId: string } } | undefined;
  return answer?.actor.userId ?? '';
}
