import { ActionError, type CallInput, type Output } from '@corral/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { devices, projectAnswers, projectId } from '../../../test/project-answers.ts';
import { renderConsole } from '../../../test/render-console.tsx';

const address = `/projects/${projectId}/devices`;
const bar = () => within(screen.getByRole('toolbar', { name: 'Actions for the selected rows' }));

test('rows are selected one by one, as a range, all together, and by x after j; hidden ones do not count', async () => {
  const { user } = renderConsole(address, projectAnswers);
  const boxes = await screen.findAllByRole('checkbox', { name: /^Select (?!all)/ });
  expect(screen.queryByRole('toolbar', { name: 'Actions for the selected rows' })).toBeNull();
  await user.click(boxes[0] as HTMLElement);
  expect(bar().getByText('1 selected')).toBeVisible();
  await user.keyboard('{Shift>}');
  await user.click(boxes[2] as HTMLElement);
  await user.keyboard('{/Shift}');
  expect(bar().getByText('3 selected')).toBeVisible();
  expect(screen.getByRole('checkbox', { name: 'Select all 3' })).toBeChecked();
  await user.type(screen.getByRole('combobox'), 'crane');
  await waitFor(() => expect(bar().getByText('1 selected')).toBeVisible());
  await user.clear(screen.getByRole('combobox'));
  await waitFor(() => expect(bar().getByText('3 selected')).toBeVisible());
  await user.click(bar().getByRole('button', { name: 'Clear' }));
  expect(screen.queryByRole('toolbar', { name: 'Actions for the selected rows' })).toBeNull();
  await user.keyboard('jjx');
  expect(bar().getByText('1 selected')).toBeVisible();
  expect(screen.getByRole('checkbox', { name: 'Select all 3' })).toBePartiallyChecked();
  await user.keyboard('b');
  expect(bar().getByRole('button', { name: 'Select all 3' })).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(bar().getByText('3 selected')).toBeVisible();
});

const job = 'flt_job_9fKqW2x9RvHy8cBq1sw7Fd' as const;

/** A hub that changes the three devices as it is told; what was asked of it. */
function changing(result: { failed?: number; completedAt?: string | undefined } = {}) {
  const applied: CallInput<'fleet_ApplyChange'>[] = [];
  const undone: string[] = [];
  const answers = {
    ...projectAnswers,
    fleet_PreviewChange: ({ change, deviceIds = [] }: CallInput<'fleet_PreviewChange'>) => ({
      matched: deviceIds.length,
      eligible: deviceIds.length - 1,
      excluded: [
        { reason: 'It has this name already.', count: 1, sample: [{ deviceId: devices[2]!.deviceId }] },
      ],
      samples: [
        { deviceId: devices[0]!.deviceId, deviceName: 'crane-04', before: 'crane-04', after: 'dock-1' },
      ],
      connected: 1,
      needsOwner: false,
      undoable: change.kind === 'Rename',
      previewHash: '2-x',
    }),
    fleet_ApplyChange: (input: CallInput<'fleet_ApplyChange'>) => (applied.push(input), { jobId: job }),
    fleet_UndoChange: ({ jobId }: CallInput<'fleet_UndoChange'>) => (undone.push(jobId), { jobId: job }),
    fleet_GetChange: (): Output<'fleet_GetChange'> => ({
      jobId: job,
      projectId,
      change: applied.at(-1)?.change ?? { kind: 'Accept' },
      total: 2,
      done: 2 - (result.failed ?? 0),
      failed: result.failed ?? 0,
      undoable: applied.at(-1)?.change.kind === 'Rename',
      createdBy: { actor: 'System', kind: 'System' },
      createdAt: '2026-11-29T12:00:00Z',
      completedAt: '2026-11-29T12:00:01Z',
    }),
    fleet_QueryChangeResults: () => ({
      results: [
        {
          deviceId: devices[1]!.deviceId,
          deviceName: 'north-gate',
          status: 'Failed' as const,
          reason: 'Device not found.',
        },
      ],
    }),
  };
  return { applied, undone, answers };
}

test('selected devices are renamed by a pattern as the preview shows, and Undo gives them their names back', async () => {
  const { applied, undone, answers } = changing();
  const { user } = renderConsole(address, answers);
  await user.click(await screen.findByRole('checkbox', { name: 'Select all 3' }));
  await user.click(bar().getByRole('button', { name: 'Rename' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Rename 3 devices' }));
  const verb = () => dialog.getByRole('button', { name: 'Rename' });
  expect(verb()).toBeDisabled();
  await user.type(dialog.getByRole('textbox', { name: 'Pattern' }), 'dock-{{n}');
  expect(await dialog.findByText('2 of 3 devices change')).toBeVisible();
  expect(dialog.getByText('dock-1')).toBeVisible();
  expect(dialog.getByText('1 left out: It has this name already.')).toBeVisible();
  await waitFor(() => expect(verb()).toBeEnabled());
  await user.click(verb());
  expect(await screen.findByText('2 devices were renamed')).toBeVisible();
  expect(applied).toEqual([
    {
      projectId,
      deviceIds: devices.map(({ deviceId }) => deviceId),
      change: { kind: 'Rename', pattern: 'dock-{n}' },
      previewHash: '2-x',
    },
  ]);
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(undone).toEqual([job]));
});

test('selected devices are deleted after the number that the preview found was typed, and those that were not have a page with the reasons', async () => {
  const { applied, answers } = changing({ failed: 1 });
  const { user, router } = renderConsole(address, answers);
  await user.click(await screen.findByRole('checkbox', { name: 'Select all 3' }));
  await user.click(bar().getByRole('button', { name: 'Delete' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete 3 devices' }));
  const typed = await dialog.findByRole('textbox', { name: 'Type “2 devices” to confirm' });
  expect(dialog.getByText('1 device is connected now.')).toBeVisible();
  expect(dialog.getByRole('button', { name: 'Delete' })).toBeDisabled();
  await user.type(typed, '2 devices');
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  expect((await screen.findAllByText('1 device was not changed.'))[0]).toBeVisible();
  expect(applied.map(({ change }) => change)).toEqual([{ kind: 'Delete' }]);
  await user.click(await screen.findByRole('button', { name: 'Show', hidden: true }));
  expect(await screen.findByText('Device not found.')).toBeVisible();
  expect(router.state.location.pathname).toBe(`/projects/${projectId}/devices/changes/${job}`);
});

test('a selection that has changed is told in the dialog, which keeps what was typed, also after Escape', async () => {
  const { answers } = changing();
  const { user } = renderConsole(address, {
    ...answers,
    fleet_ApplyChange: () => {
      throw new ActionError('Invalid', 'The selection has changed since the preview.');
    },
  });
  await user.click(await screen.findByRole('checkbox', { name: 'Select all 3' }));
  await user.click(bar().getByRole('button', { name: 'Rename' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Rename 3 devices' }));
  await user.type(dialog.getByRole('textbox', { name: 'Pattern' }), 'dock');
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Rename' })).toBeEnabled());
  await user.click(dialog.getByRole('button', { name: 'Rename' }));
  expect(await dialog.findByText('The selection has changed since the preview.')).toBeVisible();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(bar().getByRole('button', { name: 'Rename' }));
  expect(await screen.findByRole('textbox', { name: 'Pattern' })).toHaveValue('dock');
});

test('all devices that a filter finds are selected, also those that were not read', async () => {
  const { applied, answers } = changing();
  const { user } = renderConsole(`${address}?q=connected`, {
    ...answers,
    projects_QueryProjectDevices: ({ filter }: CallInput<'projects_QueryProjectDevices'>) => ({
      devices,
      ...(filter === undefined ? {} : { next: 'more' }),
    }),
    projects_CountProjectDevices: () => ({ count: 10_000, isAll: false }),
  } as never);
  await user.click(await screen.findByRole('checkbox', { name: 'Select all 3' }));
  await user.click(await bar().findByRole('button', { name: 'Select all 10,000+ that match' }));
  expect(bar().getByText('All 10,000+ that match are selected')).toBeVisible();
  await user.click(bar().getByRole('button', { name: 'Accept certificates' }));
  const dialog = within(
    await screen.findByRole('dialog', { name: 'Accept certificates of all devices that match' }),
  );
  expect(applied).toEqual([]);
  expect(dialog.getByRole('button', { name: 'Cancel' })).toBeVisible();
});

test('Clear also deselects the rows that a filter hides, and the focus goes to the table', async () => {
  const { user } = renderConsole(address, projectAnswers);
  await user.click(await screen.findByRole('checkbox', { name: 'Select all 3' }));
  await user.type(screen.getByRole('combobox'), 'crane');
  await waitFor(() => expect(bar().getByText('1 selected')).toBeVisible());
  await user.click(bar().getByRole('button', { name: 'Clear' }));
  expect(screen.getByRole('checkbox', { name: /^Select (?!all)/ })).toHaveFocus();
  await user.clear(screen.getByRole('combobox'));
  await waitFor(() => expect(screen.getAllByRole('checkbox', { name: /^Select (?!all)/ })).toHaveLength(3));
  expect(screen.queryByRole('toolbar', { name: 'Actions for the selected rows' })).toBeNull();
});

test('x selects the row with the focus, also after a new device came in above it', async () => {
  let listed = devices;
  const { user, queryClient } = renderConsole(address, {
    ...projectAnswers,
    projects_QueryProjectDevices: () => ({ devices: listed }),
  });
  await screen.findAllByRole('checkbox', { name: /^Select (?!all)/ });
  await user.keyboard('jj');
  const focused = document.activeElement;
  const [first] = devices;
  listed = [
    { ...first, deviceId: 'd_new' as (typeof devices)[0]['deviceId'], name: 'new-one' },
    ...devices,
  ] as typeof devices;
  await queryClient.invalidateQueries();
  expect(await screen.findByRole('checkbox', { name: 'Select new-one' })).toBeVisible();
  expect(focused).toHaveFocus();
  await user.keyboard('x');
  expect(screen.getByRole('checkbox', { name: `Select ${devices[1]?.name}` })).toBeChecked();
  expect(bar().getByText('1 selected')).toBeVisible();
});

test('the certificates of selected devices are reviewed together, and only those', async () => {
  const asked: unknown[] = [];
  const { user } = renderConsole(address, {
    ...projectAnswers,
    projects_QueryPendingCertificates: ({ deviceIds }) => (asked.push(deviceIds), { certificates: [] }),
  });
  const [first, second] = await screen.findAllByRole('checkbox', { name: /^Select (?!all)/ });
  await user.click(first as HTMLElement);
  expect(bar().getByRole('button', { name: 'Review certificates' })).toHaveAccessibleDescription(
    'None of the selected devices has a pending certificate',
  );
  await user.click(second as HTMLElement);
  await user.click(bar().getByRole('button', { name: 'Review certificates' }));
  expect(await screen.findByRole('dialog', { name: 'Pending certificates' })).toBeVisible();
  await waitFor(() => expect(asked).toEqual([[devices[1]?.deviceId]]));
});
