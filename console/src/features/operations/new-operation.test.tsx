import { ActionError, type CallInput, type Output } from '@corral/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { crane, gate, projectId } from '../../../test/project-answers.ts';
import { renderConsole } from '../../../test/render-console.tsx';
import { foundOperation, operationAnswers, operationId } from '../../../test/operation-answers.ts';

const address = `/projects/${projectId}/operations/new`;

const preview = (more: Partial<Output<'fleet_PreviewOperation'>> = {}): Output<'fleet_PreviewOperation'> => ({
  matched: 20,
  eligible: 17,
  offline: 2,
  excluded: [
    { reason: 'Does not offer the command', count: 3, sample: [{ deviceId: gate, name: 'north-gate' }] },
  ],
  stages: [
    { name: '1 %', devices: 1 },
    { name: '10 %', devices: 2 },
    { name: '100 %', devices: 14 },
  ],
  changes: [],
  downloadBytes: 0,
  needsOwner: false,
  needsApproval: false,
  warnings: [],
  previewHash: 'hash',
  ...more,
});

test('Start says why it waits, the preview follows what is typed, and what was previewed starts', async () => {
  const previews: CallInput<'fleet_PreviewOperation'>[] = [];
  const created: CallInput<'fleet_CreateOperation'>[] = [];
  const started: unknown[] = [];
  const { user, address: url } = renderConsole(address, {
    ...operationAnswers,
    fleet_PreviewOperation: (input) => {
      previews.push(input);
      return preview();
    },
    fleet_CreateOperation: (input) => {
      created.push(input);
      return { fleetOperationId: operationId };
    },
    fleet_StartOperation: (input) => {
      started.push(input);
      return {};
    },
  });
  expect((await screen.findAllByText('Name a command')).at(-1)).toBeVisible();
  await user.type(screen.getByRole('textbox', { name: /^Command/u }), 'restart');
  await user.type(await screen.findByRole('textbox', { name: /^delay/u }), '3');
  expect((await screen.findAllByText('Say on whom: a filter, or all')).at(-1)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'all' }));
  const start = await screen.findByRole('button', { name: 'Start on 17 devices' });
  const reasons = within(screen.getByRole('region', { name: 'Left out, and why' }));
  expect(reasons.getByText('Does not offer the command')).toBeVisible();
  expect(screen.getByRole('group', { name: 'Equivalent command' })).toHaveTextContent(
    'corral run restart --input',
  );
  const guard = { maxFailurePercent: 20, gates: [] };
  await user.click(start);
  await waitFor(() => expect(url()).toBe(`/projects/${projectId}/operations/${operationId}`));
  expect(previews.at(-1)).toMatchObject({ selector: { query: 'all', predicates: [] } });
  expect(created).toEqual([
    expect.objectContaining({
      name: 'Run restart',
      previewHash: 'hash',
      steps: [
        { kind: 'DeviceCommand', command: 'restart', input: { delay: 3, mode: 'soft' }, timeoutSecs: 600 },
      ],
      stages: [
        { name: '1 %', percentage: 1, autoAdvance: true, soakSecs: 600, guard },
        { name: '10 %', percentage: 10, autoAdvance: true, soakSecs: 600, guard },
        { name: '100 %', percentage: 100 },
      ],
    }),
  ]);
  expect(started).toEqual([{ fleetOperationId: operationId }]);
});

test('who may not start it asks others to, by a draft of what was previewed', async () => {
  const created: CallInput<'fleet_CreateOperation'>[] = [];
  const started: unknown[] = [];
  const { user, address: url } = renderConsole(`${address}?command=collect&q=connected`, {
    ...operationAnswers,
    fleet_PreviewOperation: () =>
      preview({
        needsOwner: true,
        starters: ['Ada'],
        warnings: ['Only an owner of the project may start it. Ada may start it.'],
      }),
    fleet_CreateOperation: (input) => {
      created.push(input);
      return { fleetOperationId: operationId };
    },
    fleet_StartOperation: (input) => {
      started.push(input);
      return {};
    },
    fleet_PreviewDraft: () => preview({ needsOwner: true, starters: ['Ada'] }),
    fleet_GetOperation: () => ({
      ...foundOperation({ status: 'Draft', waitsFor: 'Owner' }),
      starters: ['Ada'],
    }),
  });
  await user.click(await screen.findByRole('button', { name: 'Ask to start on 17 devices' }));
  await waitFor(() => expect(url()).toBe(`/projects/${projectId}/operations/${operationId}`));
  expect(created).toEqual([expect.objectContaining({ previewHash: 'hash' })]);
  expect(started).toEqual([]);
  expect(await screen.findByText(/asks to start it$/u)).toBeVisible();
  const start = screen.getAllByRole('button', { name: 'Start on 17 devices' })[0];
  expect(start).toHaveAccessibleDescription('Ada may start it.');
});

test('an operation runs in the hours of a day where it should, and its preview says when they begin', async () => {
  const previews: CallInput<'fleet_PreviewOperation'>[] = [];
  const { user } = renderConsole(`${address}?command=collect&q=connected`, {
    ...operationAnswers,
    fleet_PreviewOperation: (input) => {
      previews.push(input);
      return preview(
        input.window && {
          window: { opensAt: '2999-01-01T22:00:00.000Z', closesAt: '2999-01-02T05:00:00.000Z' },
        },
      );
    },
  });
  const group = await screen.findByText('50 at a time, pauses above 5 % (at least 1) failures, at any hour');
  await waitFor(() => expect(previews.at(-1)).toMatchObject({ maxInFlight: 50 }));
  expect(previews.at(-1)).not.toHaveProperty('window');
  await user.click(group);
  await user.click(screen.getByRole('checkbox', { name: 'Only in a maintenance window' }));
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '23:30' } });
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const window = { from: '23:30', to: '05:00', timeZone };
  await waitFor(() => expect(previews.at(-1)).toMatchObject({ window }));
  const opens = within(await screen.findByRole('region', { name: 'Maintenance window' }));
  expect(opens.getByText(/^It opens at/u)).toHaveTextContent('1 Jan 2999');
  expect(screen.getByRole('group', { name: 'Equivalent command' })).toHaveTextContent(
    '--window 23:30-05:00@',
  );
  fireEvent.change(screen.getByLabelText('To'), { target: { value: '23:30' } });
  expect(
    (await screen.findAllByText('The window has two times of the day and a time zone')).at(-1),
  ).toBeVisible();
});

test('devices that are chosen in the list are handed over', async () => {
  const previews: CallInput<'fleet_PreviewOperation'>[] = [];
  const { user, address: url } = renderConsole(`/projects/${projectId}/devices`, {
    ...operationAnswers,
    fleet_PreviewOperation: (input) => {
      previews.push(input);
      return preview();
    },
  });
  await user.click(await screen.findByRole('checkbox', { name: 'Select crane-04' }));
  await user.click(await screen.findByRole('button', { name: 'Run…' }));
  expect(await screen.findByText('1 device chosen in the list')).toBeVisible();
  await waitFor(() => expect(url()).toBe(address));
  await user.type(await screen.findByRole('textbox', { name: /^Command/u }), 'collect');
  await waitFor(() => expect(previews.at(-1)?.selector).toEqual({ deviceIds: [crane], predicates: [] }));
});

test('what was typed stays when the page is left', async () => {
  const { user, router } = renderConsole(address, operationAnswers);
  await user.type(await screen.findByRole('textbox', { name: /^Command/u }), 'collect');
  await router.navigate({ to: '/projects/$projectId/operations', params: { projectId } });
  await screen.findByRole('table', { name: 'Operations' });
  await router.navigate({ to: '/projects/$projectId/operations/new', params: { projectId } });
  expect(await screen.findByRole('textbox', { name: /^Command/u })).toHaveValue('collect');
});

test('a property is set to a JSON value, and stages have to rise to 100 %', async () => {
  const previews: CallInput<'fleet_PreviewOperation'>[] = [];
  const { user } = renderConsole(`${address}?kind=set&q=all`, {
    ...operationAnswers,
    fleet_PreviewOperation: (input) => {
      previews.push(input);
      return preview();
    },
  });
  await user.type(await screen.findByRole('textbox', { name: /^Property/u }), 'ring');
  const value = screen.getByRole('textbox', { name: /^Value as JSON/u });
  await user.type(value, 'canary');
  expect((await screen.findAllByText(/The value of the property is not JSON/u)).at(-1)).toBeVisible();
  await user.clear(value);
  await user.type(value, '"canary"');
  await waitFor(() =>
    expect(previews.at(-1)?.steps).toEqual([{ kind: 'SetDeviceProperty', name: 'ring', value: 'canary' }]),
  );
  const second = screen.getByRole('textbox', { name: 'Stage 2, in percent' });
  await user.clear(second);
  await user.type(second, '1');
  expect((await screen.findAllByText(/^Stages are whole numbers/u)).at(-1)).toBeVisible();
});

test('what was handed over is taken once: coming back does not replace what was composed', async () => {
  const {
    user,
    router,
    address: url,
  } = renderConsole(`${address}?command=collect&q=connected`, operationAnswers);
  const command = await screen.findByRole('textbox', { name: /^Command/u });
  expect(command).toHaveValue('collect');
  await waitFor(() => expect(url()).toBe(address));
  await user.clear(command);
  await user.type(command, 'restart');
  await router.navigate({ to: '/projects/$projectId/operations', params: { projectId } });
  await screen.findByRole('table', { name: 'Operations' });
  router.history.back();
  expect(await screen.findByRole('textbox', { name: /^Command/u })).toHaveValue('restart');
  expect(screen.getByRole('combobox', { name: /^Filter/u })).toHaveValue('connected');
});

test('a filter that is handed over replaces devices that were chosen before', async () => {
  const previews: CallInput<'fleet_PreviewOperation'>[] = [];
  const { user, router } = renderConsole(`/projects/${projectId}/devices`, {
    ...operationAnswers,
    fleet_PreviewOperation: (input) => {
      previews.push(input);
      return preview();
    },
  });
  await user.click(await screen.findByRole('checkbox', { name: 'Select crane-04' }));
  await user.click(await screen.findByRole('button', { name: 'Run…' }));
  await screen.findByText('1 device chosen in the list');
  await router.navigate({ to: '/projects/$projectId/operations', params: { projectId } });
  await screen.findByRole('table', { name: 'Operations' });
  await router.navigate({
    to: '/projects/$projectId/operations/new',
    params: { projectId },
    search: { command: 'collect', q: 'all' },
  });
  await waitFor(() =>
    expect(previews.at(-1)).toMatchObject({
      selector: { query: 'all' },
      stages: [{ percentage: 1 }, { percentage: 10 }, { percentage: 100 }],
    }),
  );
});

test('the form and what was typed into it stay when the filter changes to devices that do not offer the command', async () => {
  const previews: CallInput<'fleet_PreviewOperation'>[] = [];
  const { user } = renderConsole(`${address}?command=restart&q=connected`, {
    ...operationAnswers,
    projects_QueryProjectDevices: (...call) =>
      call[0].filter === undefined
        ? { devices: [] }
        : (operationAnswers.projects_QueryProjectDevices!(...call) as Output<'projects_QueryProjectDevices'>),
    fleet_PreviewOperation: (input) => {
      previews.push(input);
      return preview();
    },
  });
  await user.type(await screen.findByRole('textbox', { name: /^delay/u }), '3');
  await waitFor(() => expect(previews.at(-1)?.selector).toMatchObject({ query: 'connected' }));
  const filter = screen.getByRole('combobox', { name: /^Filter/u });
  await user.clear(filter);
  await user.type(filter, 'all');
  await waitFor(() => expect(previews.at(-1)?.selector).toMatchObject({ query: 'all' }));
  expect(screen.getByRole('textbox', { name: /^delay/u })).toHaveValue('3');
  expect(previews.map(({ steps: [step] }) => step?.kind === 'DeviceCommand' && step.input)).toEqual(
    previews.map(() => ({ delay: 3, mode: 'soft' })),
  );
});

test('nothing starts before the devices have said what the command takes', async () => {
  let answer: (() => void) | undefined;
  const previews: unknown[] = [];
  renderConsole(`${address}?command=restart&q=all`, {
    ...operationAnswers,
    devices_QueryCommands: async () => {
      await new Promise<void>((resolve) => (answer = resolve));
      return operationAnswers.devices_QueryCommands!({ deviceId: crane }) as never;
    },
    fleet_PreviewOperation: (input) => {
      previews.push(input);
      return preview();
    },
  });
  const reason = 'The devices are asked what the command takes';
  expect((await screen.findAllByText(reason)).at(-1)).toBeVisible();
  expect(screen.queryByRole('textbox', { name: /^Input as JSON/u })).not.toBeInTheDocument();
  await waitFor(() => expect(answer).toBeDefined());
  answer?.();
  expect(previews).toEqual([]);
});

test('a draft whose start failed is started by the next click, and cancelled where something else is asked for', async () => {
  const calls: string[] = [];
  const { user, address: url } = renderConsole(`${address}?command=collect&q=all`, {
    ...operationAnswers,
    fleet_PreviewOperation: () => preview(),
    fleet_CreateOperation: () => {
      calls.push('create');
      return { fleetOperationId: operationId };
    },
    fleet_StartOperation: () => {
      calls.push('start');
      if (calls.filter((call) => call === 'start').length < 3)
        throw new ActionError('Invalid', 'The selection changed since the preview.');
      return {};
    },
    fleet_CancelOperation: () => {
      calls.push('cancel');
      return {};
    },
  });
  const start = () => screen.findByRole('button', { name: 'Start on 17 devices' });
  await user.click(await start());
  expect(await screen.findByText('The selection changed since the preview.')).toBeVisible();
  await user.click(await start());
  await waitFor(() => expect(calls).toEqual(['create', 'start', 'start']));
  await user.type(screen.getByRole('textbox', { name: /^Name/u }), 'Again');
  await user.click(await start());
  await waitFor(() => expect(url()).toBe(`/projects/${projectId}/operations/${operationId}`));
  expect(calls).toEqual(['create', 'start', 'start', 'cancel', 'create', 'start']);
});
