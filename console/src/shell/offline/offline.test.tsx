import type { AnswerTable } from '@corral/client';
import { ActionError } from '@corral/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { answers as deviceAnswers } from '../../../test/device-answers.ts';
import { crane, projectId } from '../../../test/project-answers.ts';
import { renderConsole, signedIn } from '../../../test/render-console.tsx';

afterEach(() => vi.useRealTimers());

/** A console whose hub becomes unreachable and reachable again as the test says. */
async function openWithHub(address: string, reachable: AnswerTable = signedIn) {
  // Time runs normally, and the test can advance it.
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let isReachable = true;
  const unreachable = () =>
    new ActionError('NotReady', 'The hub cannot be reached.', { cause: new TypeError() });
  const answers = Object.fromEntries(
    Object.entries(reachable).map(([name, answer]) => [
      name,
      (input: never) => {
        if (!isReachable) throw unreachable();
        return (answer as (input: never) => unknown)(input);
      },
    ]),
  );
  const view = renderConsole(address, answers);
  await screen.findByRole('heading', { level: 1 });
  return {
    ...view,
    goOffline: async () => {
      // What was asked before is answered.
      await wait(1);
      isReachable = false;
      act(() => view.stream()?.onDown());
    },
    goOnline: () => {
      isReachable = true;
    },
  };
}

const banner = () => screen.queryByText(/The hub cannot be reached\. What you see may be old/);

async function wait(ms: number): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(ms));
}

test('a hub that is unreachable for 3 s shows a banner, and the page stays', async () => {
  const view = await openWithHub('/settings/profile');
  act(() => view.stream()?.onOpen());
  await view.goOffline();
  await wait(2000);
  expect(screen.getByText('Offline')).toBeVisible();
  expect(banner()).toBeNull();
  await wait(1100);
  expect(banner()).toBeVisible();
  expect(screen.getByRole('textbox', { name: /Display name/ })).toHaveValue('Mara Keller');
});

test('writes are blocked while the hub is unreachable, and the button describes the reason', async () => {
  const view = await openWithHub('/settings/profile');
  act(() => view.stream()?.onOpen());
  await view.goOffline();
  await wait(3100);
  const save = screen.getByRole('button', { name: 'Save' });
  expect(save).toHaveAttribute('aria-disabled', 'true');
  expect(save).toHaveAccessibleDescription('The hub cannot be reached right now.');
  expect(screen.getByRole('switch', { name: 'Single-key shortcuts' })).not.toHaveAttribute(
    'aria-disabled',
    'true',
  );
});

test('a device is not deleted while the hub is unreachable', async () => {
  const view = await openWithHub(`/projects/${projectId}/devices/${crane}`, deviceAnswers);
  const remove = await screen.findByRole('button', { name: 'Delete Device' });
  await waitFor(() => expect(remove).toBeEnabled());
  act(() => view.stream()?.onOpen());
  await view.goOffline();
  await wait(3100);
  expect(remove).toHaveAttribute('aria-disabled', 'true');
  expect(remove).toHaveAccessibleDescription('The hub cannot be reached right now.');
});

test('the hub is probed automatically, and all queries are read when it is back', async () => {
  const view = await openWithHub('/settings/profile');
  act(() => view.stream()?.onOpen());
  await view.goOffline();
  await wait(3100);
  const readBefore = view.queryClient.getQueryState(['users_GetUserDetails', { userId: signedInId() }]);
  view.goOnline();
  await wait(6000);
  expect(banner()).toBeNull();
  expect(screen.getByText('Polling')).toBeVisible();
  const readAfter = view.queryClient.getQueryState(['users_GetUserDetails', { userId: signedInId() }]);
  expect(readAfter?.dataUpdateCount).toBeGreaterThan(readBefore?.dataUpdateCount ?? 0);
});

test('Try now probes the hub at once', async () => {
  const view = await openWithHub('/settings/profile');
  act(() => view.stream()?.onOpen());
  await view.goOffline();
  await wait(3100);
  view.goOnline();
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
