import { ActionError } from '@corral/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { crane, gate, projectId } from '../../../test/project-answers.ts';
import { renderConsole } from '../../../test/render-console.tsx';
import {
  craneOperation,
  deviceOperation,
  foundOperation,
  listedOperation,
  operationAnswers,
  operationId,
  targets,
} from '../../../test/operation-answers.ts';

const list = `/projects/${projectId}/operations`;
const address = `${list}/${operationId}`;

test('chips show the operations of one status, which the hub filters, in the URL', async () => {
  const asked: unknown[] = [];
  const { user, address: url } = renderConsole(list, {
    ...operationAnswers,
    fleet_QueryOperations: ({ status }) => {
      asked.push(status);
      return {
        operations: status?.includes('Paused') === true ? [] : [listedOperation()],
      };
    },
  });
  const table = within(await screen.findByRole('table', { name: 'Operations' }));
  expect(await table.findByText('5 of 20')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Paused' }));
  await waitFor(() => expect(url()).toBe(`${list}?status=Paused`));
  expect(asked).toContainEqual(['Paused']);
  expect(await screen.findByText('Nothing matches')).toBeVisible();
});

test('an operation outside of its window says when that opens', async () => {
  const window = { from: '22:00', to: '05:00', timeZone: 'Europe/Berlin' };
  const opensAt = new Date(Date.now() + 3 * 3_600_000).toISOString();
  renderConsole(address, {
    ...operationAnswers,
    fleet_GetOperation: () => foundOperation({ window, opensAt }),
  });
  expect(await screen.findByText(/it waits for its window, which opens at \d\d:\d\d/u)).toBeVisible();
  expect(screen.getByText('22:00 to 05:00, Europe/Berlin')).toBeVisible();
});

test('an operation says its stages, numbers, failure budget and failures, and lists its devices', async () => {
  const asked: object[] = [];
  const { user, address: url } = renderConsole(address, {
    ...operationAnswers,
    fleet_QueryOperationTargets: (input) => {
      asked.push(input);
      return { targets: [...targets] };
    },
  });
  expect(await screen.findByRole('heading', { name: 'Install press 1.4.0', level: 1 })).toBeVisible();
  expect(
    screen.getByRole('img', { name: '50 %: 3 failed, 2 running, 4 succeeded, 1 waiting' }),
  ).toBeVisible();
  expect(screen.getByRole('meter', { name: 'Failure budget of stage 2' })).toHaveAttribute(
    'aria-valuetext',
    '3 failed, 5 tolerated',
  );
  expect(await screen.findByText('no space left on slot 2')).toBeVisible();
  const slots = within(screen.getByRole('list', { name: 'How the devices stand' }));
  await user.click(slots.getByRole('link', { name: /Failed/u }));
  await waitFor(() => expect(url()).toBe(`${address}?status=Failed#devices`));
  await waitFor(() =>
    expect(asked).toContainEqual(
      expect.objectContaining({ fleetOperationId: operationId, status: ['Failed'], order: 'status' }),
    ),
  );
});

test.each([5, 20])('%i devices in as many stages have a dot each', async (count) => {
  const found = foundOperation();
  const [stage, state] = [found.stages[0], found.stageStates[0]];
  if (stage === undefined || state === undefined) throw new Error('there is no stage');
  renderConsole(address, {
    ...operationAnswers,
    fleet_GetOperation: () => ({
      ...found,
      stages: Array.from({ length: count }, (_, index) => ({ ...stage, name: `Stage ${index + 1}` })),
      stageStates: Array.from({ length: count }, (_, stageIndex) => ({ ...state, stageIndex })),
    }),
  });
  expect(await screen.findByRole('img', { name: `Stage ${count}: 1 succeeded` })).toBeVisible();
  expect(screen.queryByText(/^A dot is/u)).toBeNull();
});

test('the steps of a history of seconds have names of their own, and stages may share one', async () => {
  const step = { succeeded: [1, 0, 2], failed: [0, 0, 0], timedOut: [0, 0, 0] };
  const found = foundOperation();
  renderConsole(address, {
    ...operationAnswers,
    fleet_GetOperation: () => ({ ...found, stages: found.stages.map((one) => ({ ...one, name: 'Wave' })) }),
    fleet_QueryOperationHistory: () => ({ from: '2026-11-01T10:00:00Z', stepSeconds: 10, ...step }),
  });
  const table = await screen.findByRole('table', { name: /^Devices that ended/u });
  const names = within(table)
    .getAllByRole('rowheader')
    .map(({ textContent }) => textContent);
  expect(names).toHaveLength(20);
  expect(new Set(names).size).toBe(20);
  expect(names[1]).toMatch(/:00:10–.*:00:20$/u);
});

test('an operation is paused and resumed from its header', async () => {
  const calls: unknown[] = [];
  let status: 'Running' | 'Paused' = 'Running';
  const { user } = renderConsole(address, {
    ...operationAnswers,
    fleet_GetOperation: () => foundOperation({ status }),
    fleet_PauseOperation: (input) => {
      calls.push(input);
      status = 'Paused';
      return {};
    },
    fleet_StartOperation: (input) => {
      calls.push(input);
      status = 'Running';
      return {};
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Pause' }));
  await user.click(await screen.findByRole('button', { name: 'Resume' }));
  expect(await screen.findByRole('button', { name: 'Pause' })).toBeVisible();
  expect(calls).toEqual([{ fleetOperationId: operationId }, { fleetOperationId: operationId }]);
});

test('a paused operation that its guard holds says what helps, and does not offer to resume', async () => {
  const pauseReason = 'The stage "50 %" has ended with 40 % success.';
  const { user } = renderConsole(address, {
    ...operationAnswers,
    fleet_GetOperation: () => ({ ...foundOperation({ status: 'Paused', pauseReason }), isHeldByGuard: true }),
    fleet_RetryOperation: () => ({ devices: 3 }),
    fleet_AdvanceOperationStage: () => ({ result: 'Advanced' }),
  });
  const helps = 'Retry the devices that failed, or open the next stage nevertheless.';
  expect(await screen.findByText(`${pauseReason} ${helps}`)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Resume' })).toHaveAttribute('aria-disabled', 'true');
  await user.click(await screen.findByRole('button', { name: /^Retry 3 devices/u }));
  expect(await screen.findByText('3 devices will try again as soon as it is resumed')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'More actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Open the next stage…' }));
  await user.click(await screen.findByRole('button', { name: 'Open the stage' }));
  expect(await screen.findByText('The next stage opens as soon as it is resumed')).toBeVisible();
});

test('one group of failures is retried by itself', async () => {
  const calls: unknown[] = [];
  const { user } = renderConsole(address, {
    ...operationAnswers,
    fleet_RetryOperation: (input) => {
      calls.push(input);
      return { devices: 3 };
    },
  });
  await user.click(await screen.findByRole('button', { name: /^Retry 3 devices/u }));
  expect(await screen.findByText('3 devices will try again')).toBeVisible();
  expect(calls).toEqual([
    {
      fleetOperationId: operationId,
      which: ['Failed'],
      group: { text: 'no space left on slot …', status: 'Failed', stepIndex: 1 },
    },
  ]);
});

test('a guard that blocks the next stage says why, and the stage opens nevertheless only for a reason', async () => {
  const calls: { force?: boolean | undefined; reason?: string | undefined }[] = [];
  const { user } = renderConsole(address, {
    ...operationAnswers,
    fleet_AdvanceOperationStage: (input) => {
      calls.push(input);
      if (input.force === true) return { result: 'Advanced' };
      return {
        result: 'GuardBlocked',
        maxFailurePercent: 5,
        failurePercent: 30,
        successPercent: 40,
        gates: [],
      };
    },
  });
  await user.click(await screen.findByRole('button', { name: 'More actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Open the next stage…' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Open the stage' }));
  expect(await dialog.findByText('30 % failed, at most 5 % may')).toBeVisible();
  const nevertheless = dialog.getByRole('button', { name: 'Open nevertheless' });
  expect(nevertheless).toBeDisabled();
  await user.type(dialog.getByRole('textbox'), 'the press is checked');
  await user.click(nevertheless);
  await waitFor(() => expect(calls.at(-1)).toMatchObject({ force: true, reason: 'the press is checked' }));
});

test('a row opens the operation on its device with the output and the log of each step', async () => {
  const { user, address: url } = renderConsole(address, operationAnswers);
  const table = within(await screen.findByRole('table', { name: 'Devices of the operation' }));
  await user.click(await table.findByText('north-gate'));
  await waitFor(() => expect(url()).toBe(`${address}?target=d_op_${gate.slice(2)}`));
  const drawer = within(await screen.findByRole('dialog'));
  expect(await drawer.findByText(/"restarted": true/u)).toBeVisible();
  expect(drawer.getByText(/press is up/u)).toBeVisible();
  expect(drawer.getByText(/through a channel/u)).toBeVisible();
});

test('an operation whose rest is away says how many devices have not begun', async () => {
  renderConsole(address, {
    ...operationAnswers,
    fleet_GetOperation: () =>
      foundOperation({
        progress: { total: 5, pending: 4, running: 0, succeeded: 1, failed: 0, timedOut: 0, cancelled: 0 },
      }),
  });
  expect(await screen.findByText(/4 devices have not begun/u)).toBeVisible();
});

test('an operation that is not there has the page for that', async () => {
  renderConsole(address, { ...operationAnswers, fleet_GetOperation: () => ({ result: 'NotFound' }) });
  expect(await screen.findByRole('heading', { name: 'Page not Found' })).toBeVisible();
});

test('a command of a device runs with the form of its schema, and its result appears', async () => {
  const created: unknown[] = [];
  const started: unknown[] = [];
  const { user } = renderConsole(`/projects/${projectId}/devices/${crane}?tab=operations`, {
    ...operationAnswers,
    devices_CreateOperation: (input) => {
      created.push(input);
      return { deviceOperationId: craneOperation };
    },
    devices_StartOperation: (input) => {
      started.push(input);
      return {};
    },
    devices_GetOperation: () => deviceOperation,
  });
  await user.click(await screen.findByRole('combobox', { name: /^Command/u }));
  await user.click(await screen.findByRole('option', { name: /restart/u }));
  const delay = await screen.findByRole('textbox', { name: /^delay/u });
  await user.type(delay, 'soon');
  await user.tab();
  expect((await screen.findAllByText('This is not a whole number.'))[0]).toBeVisible();
  await user.clear(delay);
  await user.type(delay, '3');
  await user.click(screen.getByRole('button', { name: 'Run' }));
  const result = within(await screen.findByRole('region', { name: 'Result' }));
  expect(await result.findByText(/"restarted": true/u)).toBeVisible();
  expect(created).toEqual([
    {
      deviceId: crane,
      name: 'Run restart',
      steps: [{ kind: 'DeviceCommand', command: 'restart', input: { delay: 3, mode: 'soft' } }],
    },
  ]);
  expect(started).toEqual([{ deviceOperationId: craneOperation }]);
});

test('a command starts once however often Enter is pressed, and again what could not be started', async () => {
  const calls: string[] = [];
  let answer: (() => void) | undefined;
  const { user } = renderConsole(`/projects/${projectId}/devices/${crane}?tab=operations`, {
    ...operationAnswers,
    devices_CreateOperation: async () => {
      calls.push('create');
      await new Promise<void>((resolve) => (answer = resolve));
      return { deviceOperationId: craneOperation };
    },
    devices_StartOperation: () => {
      calls.push('start');
      if (calls.filter((call) => call === 'start').length === 1)
        throw new ActionError('Invalid', 'It cannot start now.');
      return {};
    },
    devices_GetOperation: () => deviceOperation,
  });
  await user.click(await screen.findByRole('combobox', { name: /^Command/u }));
  await user.click(await screen.findByRole('option', { name: /restart/u }));
  await user.type(await screen.findByRole('textbox', { name: /^delay/u }), '3');
  const form = screen.getByRole('button', { name: 'Run' }).closest('form');
  fireEvent.submit(form!);
  fireEvent.submit(form!);
  await waitFor(() => expect(answer).toBeDefined());
  answer?.();
  expect(await screen.findByText('It cannot start now.')).toBeVisible();
  expect(calls).toEqual(['create', 'start']);
  await waitFor(() => expect(screen.getByRole('button', { name: 'Run' })).not.toHaveAttribute('aria-busy'));
  fireEvent.submit(form!);
  expect(await screen.findByRole('region', { name: 'Result' })).toBeVisible();
  expect(calls).toEqual(['create', 'start', 'start']);
});

test('a secret of a command is neither shown nor in the equivalent command', async () => {
  const { user } = renderConsole(`/projects/${projectId}/devices/${crane}?tab=operations`, {
    ...operationAnswers,
    devices_QueryCommands: () => ({
      manifest: {
        commands: [
          {
            name: 'unlock',
            input: { type: 'object', properties: { pin: { type: 'integer', writeOnly: true } } },
          },
        ],
      },
    }),
  });
  await user.click(await screen.findByRole('combobox', { name: /^Command/u }));
  await user.click(await screen.findByRole('option', { name: /unlock/u }));
  const pin = await screen.findByLabelText(/^pin/u);
  expect(pin).toHaveAttribute('type', 'password');
  await user.type(pin, '4711');
  expect(await screen.findByRole('group', { name: 'Equivalent command' })).toHaveTextContent(
    `corral run unlock --input - --project ${projectId} --on`,
  );
  expect(screen.queryByText(/4711/u)).not.toBeInTheDocument();
});

test('an operation shows how its devices ended over its time', async () => {
  renderConsole(address, operationAnswers);
  const table = within(await screen.findByRole('table', { name: 'Devices that ended, per 60 s' }));
  expect(table.getByRole('columnheader', { name: 'Failed' })).toBeInTheDocument();
  expect(table.queryByRole('columnheader', { name: 'Timed out' })).toBeNull();
  const row = table.getByRole('row', { name: /10:05–10:06/u });
  expect(
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual(['0', '4']);
});

test('a draft says what it would do now, and on how many devices it starts', async () => {
  renderConsole(address, {
    ...operationAnswers,
    fleet_GetOperation: () => foundOperation({ status: 'Draft' }),
    fleet_PreviewDraft: () => ({
      matched: 17,
      eligible: 17,
      offline: 0,
      excluded: [],
      stages: [],
      changes: [],
      downloadBytes: 0,
      needsOwner: false,
      needsApproval: false,
      warnings: [],
      previewHash: 'p',
    }),
  });
  expect(await screen.findByRole('button', { name: 'Start on 17 devices' })).toBeEnabled();
  expect(screen.queryByRole('table', { name: 'Devices of the operation' })).toBeNull();
});
