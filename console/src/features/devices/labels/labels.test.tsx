import type { CallInput, Output } from '@corral/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { devices, projectAnswers, projectId } from '../../../../test/project-answers.ts';
import { renderConsole } from '../../../../test/render-console.tsx';
import { parseDevicesSearch } from '../device-view.ts';

const address = `/projects/${projectId}/devices`;
const jobId = 'flt_job_9fKqW2x9RvHy8cBq1sw7Fd' as const;

/** A hub whose devices have labels; what was asked of it. */
function labelled() {
  const applied: CallInput<'fleet_ApplyChange'>['change'][] = [];
  const answers = {
    ...projectAnswers,
    projects_QueryProjectDevices: () => ({
      devices: devices.map((device, index) => ({
        ...device,
        labels: [
          { name: 'ring', value: index === 0 ? 'canary' : 'say "hi"' },
          ...['a', 'b', 'c'].map((name) => ({ name, value: 'x' })),
        ],
      })),
    }),
    projects_GetDeviceLabels: () => ({
      labels: [
        { name: 'ring', values: ['stable', 'canary'] },
        { name: 'site', values: ['Munich', 'Berlin'] },
      ],
    }),
    fleet_PreviewChange: () => ({
      matched: 3,
      eligible: 3,
      excluded: [],
      samples: [],
      connected: 0,
      needsOwner: false,
      undoable: true,
      previewHash: '3-x',
    }),
    fleet_ApplyChange: ({ change }: CallInput<'fleet_ApplyChange'>) => (applied.push(change), { jobId }),
    fleet_GetChange: (): Output<'fleet_GetChange'> => ({
      jobId,
      projectId,
      change: applied.at(-1) ?? { kind: 'Accept' },
      total: 3,
      done: 3,
      failed: 0,
      undoable: true,
      createdBy: { actor: 'System', kind: 'System' },
      createdAt: '2026-11-29T12:00:00Z',
      completedAt: '2026-11-29T12:00:01Z',
    }),
  };
  return { applied, answers };
}

async function selectAll(user: ReturnType<typeof renderConsole>['user'], action: string) {
  await user.click(await screen.findByRole('checkbox', { name: 'Select all 3' }));
  const bar = within(screen.getByRole('toolbar', { name: 'Actions for the selected rows' }));
  await user.click(bar.getByRole('button', { name: action }));
  return within(await screen.findByRole('dialog'));
}

test('a label is set on the selected devices with suggested names and values', async () => {
  const { applied, answers } = labelled();
  const { user } = renderConsole(address, answers);
  const dialog = await selectAll(user, 'Set label…');
  const names = within(await dialog.findByRole('group', { name: 'Known for Label' }));
  await user.click(names.getByRole('button', { name: 'site' }));
  await user.type(dialog.getByRole('textbox', { name: /^Value/u }), 'mu');
  const values = within(dialog.getByRole('group', { name: 'Known for Value' }));
  expect(values.queryByRole('button', { name: 'Berlin' })).toBeNull();
  await user.click(values.getByRole('button', { name: 'Munich' }));
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Set label' })).toBeEnabled());
  await user.click(dialog.getByRole('button', { name: 'Set label' }));
  expect(await screen.findByText('site: Munich was set on 3 devices')).toBeVisible();
  expect(applied).toEqual([{ kind: 'SetLabel', name: 'site', value: 'Munich' }]);
});

test('a label that the selected devices have is removed, and a name that filters cannot write is no label', async () => {
  const { applied, answers } = labelled();
  const { user } = renderConsole(address, answers);
  const dialog = await selectAll(user, 'Remove label…');
  const field = dialog.getByRole('textbox', { name: /^Label/u });
  await user.type(field, 'two words');
  await user.tab();
  expect(dialog.getByText(/^Label must begin with/u)).toBeVisible();
  expect(dialog.getByRole('button', { name: 'Remove label' })).toBeDisabled();
  await user.clear(field);
  await user.click(dialog.getByRole('button', { name: 'ring' }));
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Remove label' })).toBeEnabled());
  await user.click(dialog.getByRole('button', { name: 'Remove label' }));
  expect(await screen.findByText('The label ring was removed from 3 devices')).toBeVisible();
  expect(applied).toEqual([{ kind: 'RemoveLabel', name: 'ring' }]);
});

test('the badge of a label lists the devices that have it, in the same order and columns', async () => {
  const { answers } = labelled();
  const { user, router } = renderConsole(`${address}?columns=status.labels&sort=name`, answers);
  const [quoted] = await screen.findAllByRole('link', { name: 'ring: say "hi"' });
  expect(screen.getAllByText('+1')).toHaveLength(3);
  await user.click(quoted as HTMLElement);
  await waitFor(() =>
    expect(parseDevicesSearch(router.state.location.search)).toEqual({
      q: String.raw`label.ring:"say \"hi\""`,
      sort: 'name',
      columns: 'status.labels',
    }),
  );
});
