import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { devices, projectAnswers, projectId } from '../../../test/project-answers.ts';
import { renderConsole } from '../../../test/render-console.tsx';

const address = `/projects/${projectId}/devices`;
const bar = () => within(screen.getByRole('toolbar', { name: 'Actions for the selected rows' }));
const [first] = devices;
const eight = Array.from({ length: 8 }, (_, index) => ({
  ...first,
  deviceId: `d_${index}`,
  name: `dock-${index}`,
})) as typeof devices;

/** The list of eight devices, all selected; calls that change one wait for `release`. */
async function showSelected() {
  const waiting: (() => void)[] = [];
  const calls: string[] = [];
  let isReleased = false;
  const change = async ({ deviceId }: { deviceId: string }) => {
    calls.push(deviceId);
    if (!isReleased) await new Promise<void>((resolve) => waiting.push(resolve));
    return {};
  };
  const view = renderConsole(address, {
    ...projectAnswers,
    projects_QueryProjectDevices: () => ({ devices: eight }),
    devices_DeleteDevice: change,
    devices_SetDeviceName: change,
  });
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
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete 8 devices' }));
  await view.user.type(dialog.getByRole('textbox'), '8 devices');
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
    expect(await screen.findByText('4 devices were deleted')).toBeVisible();
    expect(screen.getByText('Cancelled: 4 of 8 were not started.')).toBeVisible();
    expect(calls).toHaveLength(4);
  },
);

test('a bulk action goes on when the page is left: a toast shows its progress, then its result', async () => {
  const { router, calls, waiting, release } = await startDeleting();
  await router.navigate({ to: '/projects' });
  expect(await screen.findByRole('progressbar', { name: 'Delete 8 devices' })).toHaveAttribute(
    'aria-valuenow',
    '0',
  );
  waiting.shift()?.();
  await waitFor(() =>
    expect(screen.getByRole('progressbar', { name: 'Delete 8 devices' })).toHaveAttribute(
      'aria-valuenow',
      '1',
    ),
  );
  expect(screen.getByText('1 of 8')).toBeVisible();
  release();
  expect(await screen.findByText('8 devices were deleted')).toBeVisible();
  expect(calls).toHaveLength(8);
  expect(screen.queryByRole('progressbar', { name: 'Delete 8 devices' })).toBeNull();
});

test('Cancel in the toast stops a bulk action whose page was left', async () => {
  const { user, router, calls, release } = await startDeleting();
  await router.navigate({ to: '/projects' });
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  release();
  expect(await screen.findByText('4 devices were deleted')).toBeVisible();
  expect(calls).toHaveLength(4);
});

test('Cancel stops renaming before the next device, and what was renamed can be undone', async () => {
  const { user, calls, underWay, release } = await showSelected();
  await user.click(bar().getByRole('button', { name: 'Rename' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Rename 8 devices' }));
  const pattern = dialog.getByRole('textbox', { name: 'Pattern' });
  await user.clear(pattern);
  await user.type(pattern, 'pier-{{n}');
  await user.click(dialog.getByRole('button', { name: 'Fill in' }));
  await user.click(dialog.getByRole('button', { name: 'Rename 8 devices' }));
  await underWay();
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  release();
  expect(await screen.findByText('4 devices were renamed')).toBeVisible();
  expect(screen.getByText('Cancelled: 4 of 8 were not started.')).toBeVisible();
  expect(calls).toHaveLength(4);
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(calls).toHaveLength(8));
  expect(new Set(calls.slice(4))).toEqual(new Set(calls.slice(0, 4)));
});
