import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { projectAnswers, projectId } from '../../../test/project-answers.ts';
import { renderConsole } from '../../../test/render-console.tsx';

const address = `/projects/${projectId}/tokens`;
const bar = () => within(screen.getByRole('toolbar', { name: 'Actions for the selected rows' }));
const eight = Array.from({ length: 8 }, (_, index) => ({
  tokenId: `deployment_id_${index}`,
  name: `quay-${index}`,
  flags: { autoAccept: false },
  createdAt: '2026-11-20T12:00:00Z',
  enrolledDevices: 0,
}));

/** The list of eight tokens, all selected; calls that change one wait for `release`. */
async function showSelected() {
  const waiting: (() => void)[] = [];
  const calls: string[] = [];
  let isReleased = false;
  const change = async ({ tokenId }: { tokenId: string }) => {
    calls.push(tokenId);
    if (!isReleased) await new Promise<void>((resolve) => waiting.push(resolve));
    return {};
  };
  const view = renderConsole(address, {
    ...projectAnswers,
    projects_QueryProjectDeploymentTokens: () => ({ tokens: eight }),
    projects_DeleteDeploymentToken: change,
  } as never);
  await view.user.click(await screen.findByRole('checkbox', { name: 'Select all 8' }));
  function release(): void {
    isReleased = true;
    for (const resolve of waiting.splice(0)) resolve();
  }
  const underWay = () => waitFor(() => expect(waiting).toHaveLength(4));
  return { ...view, calls, waiting, underWay, release };
}

async function startDeleting() {
  const view = await showSelected();
  await view.user.click(bar().getByRole('button', { name: 'Delete' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete 8 tokens' }));
  await view.user.click(dialog.getByRole('button', { name: /^Delete/ }));
  await view.underWay();
  return { ...view, dialog };
}

test.each(['Cancel', 'Escape'])(
  '%s stops a bulk action before the next row, and says how far it came',
  async (how) => {
    const { user, dialog, calls, release } = await startDeleting();
    if (how === 'Cancel') await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    else await user.keyboard('{Escape}');
    release();
    expect(await screen.findByText('4 tokens were deleted')).toBeVisible();
    expect(screen.getByText('Cancelled: 4 of 8 were not started.')).toBeVisible();
    expect(calls).toHaveLength(4);
  },
);

test('a bulk action goes on when the page is left: a toast shows its progress, then its result', async () => {
  const { router, calls, waiting, release } = await startDeleting();
  await router.navigate({ to: '/projects' });
  expect(await screen.findByRole('progressbar', { name: 'Delete 8 tokens' })).toHaveAttribute(
    'aria-valuenow',
    '0',
  );
  waiting.shift()?.();
  await waitFor(() =>
    expect(screen.getByRole('progressbar', { name: 'Delete 8 tokens' })).toHaveAttribute(
      'aria-valuenow',
      '1',
    ),
  );
  expect(screen.getByText('1 of 8')).toBeVisible();
  release();
  expect(await screen.findByText('8 tokens were deleted')).toBeVisible();
  expect(calls).toHaveLength(8);
  expect(screen.queryByRole('progressbar', { name: 'Delete 8 tokens' })).toBeNull();
});

test('Cancel in the toast stops a bulk action whose page was left', async () => {
  const { user, router, calls, release } = await startDeleting();
  await router.navigate({ to: '/projects' });
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  release();
  expect(await screen.findByText('4 tokens were deleted')).toBeVisible();
  expect(calls).toHaveLength(4);
});
