import { ids, type CallInput, type Output } from '@corral/contract';
import { expect, test } from 'vitest';
import { deviceScene } from '../../../../test/device-scene.ts';
import { absentId } from '../../../../test/fresh-executor.ts';
import { connectedDevice, type OperationScene, operationsOf } from '../../../../test/operation-scene.ts';

const scene = deviceScene();
const { hub, device, member, project } = scene;
const operations: OperationScene = operationsOf(scene);
const reboot = { kind: 'DeviceCommand' as const, command: 'reboot', input: { delaySecs: 5 } };
const setRing = { kind: 'SetDeviceProperty' as const, name: 'ring', value: 'canary' };

test('an operation waits until it is started, and then until its device is connected', async () => {
  const id = await operations.create([setRing]);
  expect((await operations.get(id)).summary).toMatchObject({
    status: 'Pending',
    stepIndex: 0,
    stepCount: 1,
    attempt: 1,
  });
  await operations.start(id);
  expect((await operations.get(id)).summary.status).toBe('Pending');
  await connectedDevice(scene);
  await operations.tick();
  expect(await operations.get(id)).toMatchObject({
    summary: { status: 'Succeeded', stepIndex: 1, createdBy: member },
    stepStates: [{ stepIndex: 0, status: 'Succeeded', carrier: 'Hub' }],
  });
});

test('steps of the hub are done at once, in order, as who created the operation', async () => {
  await connectedDevice(scene);
  const id = await operations.started([
    setRing,
    { kind: 'RemoveDeviceProperty', name: 'ring' },
    { ...setRing, value: 'late', protected: true, when: { kind: 'Literal', value: true } },
    { ...setRing, value: 'never', when: { kind: 'Literal', value: false } },
  ]);
  const { summary, stepStates } = await operations.get(id);
  expect(summary.status).toBe('Succeeded');
  expect(stepStates.map(({ status }) => status)).toEqual(['Succeeded', 'Succeeded', 'Succeeded', 'Skipped']);
  const found = await hub.as(member, 'devices_GetDeviceProperty', {
    deviceId: device.deviceId,
    name: 'ring',
  });
  expect(found).toMatchObject({ value: 'late', protected: true, version: 2 });
  const changed = hub.emittedEvents.filter(({ name }) => name === 'devices_PropertiesChanged');
  expect(changed).toHaveLength(3);
  expect(hub.emittedEvents.filter(({ name }) => name === 'devices_OperationFinished')).toMatchObject([
    { data: { deviceId: device.deviceId, status: 'Succeeded' } },
  ]);
});

const versionOf = {
  kind: 'Get' as const,
  expr: { kind: 'NamedValue' as const, name: 'ota' },
  path: ['version'],
};
const isNew = { kind: 'Equals' as const, left: versionOf, right: { kind: 'Literal' as const, value: '2.0' } };
const setVersion = (version: string) =>
  hub.as(device.actor, 'devices_SetDeviceProperty', {
    deviceId: device.deviceId,
    name: 'ota',
    value: { version },
  });

test('a wait goes on while a property is missing or another, and holds as soon as it does', async () => {
  await connectedDevice(scene);
  const id = await operations.started([{ kind: 'WaitForDeviceProperty', predicate: isNew }, setRing]);
  const status = async () => (await operations.get(id)).summary.status;
  hub.advance(1);
  await setVersion('1.0');
  await operations.tick();
  expect(await status()).toBe('Running');
  hub.advance(30);
  await setVersion('2.0');
  await operations.tick();
  expect(await status()).toBe('Succeeded');
});

test('a wait for something new does not count what was written before it began', async () => {
  await setVersion('2.0');
  hub.advance(1);
  await connectedDevice(scene);
  const id = await operations.started([{ kind: 'WaitForDeviceProperty', predicate: isNew, freshOnly: true }]);
  await operations.tick();
  expect((await operations.get(id)).summary.status).toBe('Running');
  hub.advance(1);
  await setVersion('2.0');
  await operations.tick();
  expect((await operations.get(id)).summary.status).toBe('Succeeded');
});

test('a wait for something new counts what a command wrote before it reported', async () => {
  await connectedDevice(scene);
  const id = await operations.started([
    { kind: 'DeviceCommand', command: 'install', input: null },
    { kind: 'WaitForDeviceProperty', predicate: isNew, freshOnly: true },
  ]);
  hub.advance(1);
  await setVersion('2.0');
  hub.advance(1);
  const [work] = await operations.claim();
  await operations.report(work, { status: 'Succeeded' });
  expect((await operations.get(id)).summary.status).toBe('Succeeded');
});

test('a wait whose condition cannot be evaluated fails, and one that takes too long times out', async () => {
  await connectedDevice(scene);
  await setVersion('1.0');
  const ordered = {
    kind: 'LessThan' as const,
    left: versionOf,
    right: { kind: 'Literal' as const, value: 2 },
  };
  const failed = await operations.started([{ kind: 'WaitForDeviceProperty', predicate: ordered }]);
  expect((await operations.get(failed)).summary).toMatchObject({
    status: 'Failed',
    lastError: expect.stringMatching(/./),
  });
  const late = await operations.started([
    { kind: 'WaitForDeviceProperty', predicate: isNew, timeoutSecs: 60 },
  ]);
  hub.advance(61);
  await operations.tick();
  expect((await operations.get(late)).summary).toMatchObject({
    status: 'TimedOut',
    lastError: 'The condition did not hold within 60 s.',
  });
});

test('an update changes a part of a property and keeps its protection', async () => {
  await connectedDevice(scene);
  const { deviceId } = device;
  await hub.as(member, 'devices_SetDeviceProperty', {
    deviceId,
    name: 'ota',
    value: { version: '1.0', slot: 'a' },
    protected: true,
  });
  const id = await operations.started([
    {
      kind: 'UpdateDeviceProperty',
      name: 'ota',
      mutation: { mutation: 'Set', path: ['version'], expr: { kind: 'Literal', value: '2.0' } },
    },
    { kind: 'UpdateDeviceProperty', name: 'gone', mutation: { mutation: 'Remove', path: [] } },
  ]);
  expect((await operations.get(id)).summary.status).toBe('Succeeded');
  const found = await hub.as(member, 'devices_GetDeviceProperty', { deviceId, name: 'ota' });
  expect(found).toMatchObject({ value: { version: '2.0', slot: 'a' }, protected: true, version: 2 });
});

test('a device claims its command, and its report ends the operation', async () => {
  await connectedDevice(scene);
  const id = await operations.started([reboot]);
  const [work] = await operations.claim();
  expect(work).toMatchObject({
    deviceOperationId: id,
    operationName: 'Test',
    stepIndex: 0,
    step: { kind: 'DeviceCommand', command: 'reboot', input: { delaySecs: 5 }, timeoutSecs: 3600 },
  });
  await operations.report(work, { status: 'Running', checkpoint: { at: 1 } });
  await operations.report(work, { status: 'Succeeded', output: { ok: true } });
  expect(await operations.get(id)).toMatchObject({
    summary: { status: 'Succeeded' },
    stepStates: [{ status: 'Succeeded', output: { ok: true }, carrier: 'Claim', checkpoint: { at: 1 } }],
  });
  expect(await operations.claim()).toEqual([]);
});

test('a device that has claimed is found as one that runs operations', async () => {
  const found = async () =>
    (
      await hub.as(member, 'projects_QueryProjectDevices', {
        projectId: project.projectId,
        filter: 'can:operations',
      })
    ).devices.map(({ deviceId }) => deviceId);
  expect(await found()).toEqual([]);
  await connectedDevice(scene);
  await operations.claim();
  expect(await found()).toEqual([device.deviceId]);
});

test('the first final report counts, whatever is reported later, elsewhere or of nothing', async () => {
  await connectedDevice(scene);
  const id = await operations.started([reboot]);
  const [first] = await operations.claim();
  const [second] = await operations.claim();
  expect(second).toEqual({ ...first, claimId: second?.claimId });
  const other = { ...(second as typeof first & {}), claimId: absentId('deviceOperationClaim') };
  await operations.report(other, { status: 'Failed', error: 'not mine' });
  await operations.report(first, { status: 'Succeeded' });
  await operations.report(second, { status: 'Failed', error: 'late' });
  await operations.report({ ...other, deviceOperationId: absentId('deviceOperation') }, { status: 'Failed' });
  expect((await operations.get(id)).summary.status).toBe('Succeeded');
});

test('a failure ends the operation, and its output beyond 64 KiB is cut', async () => {
  await connectedDevice(scene);
  const id = await operations.started([reboot, setRing]);
  const [work] = await operations.claim();
  await operations.report(work, { status: 'Failed', error: 'no'.repeat(4000), output: 'ü'.repeat(40_000) });
  const { summary, stepStates } = await operations.get(id);
  expect(summary).toMatchObject({ status: 'Failed', stepIndex: 0 });
  expect(summary.lastError).toHaveLength(4096);
  expect(stepStates).toHaveLength(1);
  expect(Buffer.byteLength(String(stepStates[0]?.output))).toBeLessThanOrEqual(65_536);
});

test('a step that is claimed a fourth time in ten minutes without a report fails', async () => {
  await connectedDevice(scene);
  const id = await operations.started([reboot]);
  for (let count = 0; count < 3; count += 1) expect(await operations.claim()).toHaveLength(1);
  hub.advance(601);
  for (let count = 0; count < 3; count += 1) expect(await operations.claim()).toHaveLength(1);
  expect(await operations.claim()).toEqual([]);
  expect((await operations.get(id)).summary).toMatchObject({
    status: 'Failed',
    lastError: expect.stringMatching(/ledger/),
  });
});

test('an interrupted command fails as interrupted', async () => {
  await connectedDevice(scene);
  const id = await operations.started([reboot]);
  const [work] = await operations.claim();
  await operations.report(work, {
    status: 'Failed',
    error: 'Previous command execution was interrupted after dispatch; its outcome is unknown',
  });
  expect((await operations.get(id)).summary).toMatchObject({ status: 'Failed', outcome: 'Interrupted' });
});

test('a device does one operation after the other', async () => {
  await connectedDevice(scene);
  const first = await operations.started([reboot]);
  const second = await operations.started([reboot]);
  await operations.tick();
  expect((await operations.get(second)).summary.status).toBe('Pending');
  const [work] = await operations.claim();
  await operations.report(work, { status: 'Succeeded' });
  await operations.tick();
  expect((await operations.get(first)).summary.status).toBe('Succeeded');
  expect((await operations.get(second)).summary.status).toBe('Running');
});

test('a cancelled operation ends at once, and the result of its running command is still recorded', async () => {
  await connectedDevice(scene);
  const running = await operations.started([reboot, setRing]);
  const [work] = await operations.claim();
  const pending = await operations.create([setRing]);
  for (const deviceOperationId of [running, pending])
    await hub.as(member, 'devices_CancelOperation', { deviceOperationId });
  expect((await operations.get(pending)).summary.status).toBe('Cancelled');
  expect(await operations.get(running)).toMatchObject({
    summary: { status: 'Cancelled' },
    stepStates: [{ status: 'Running' }],
  });
  await operations.report(work, { status: 'Succeeded', output: 1 });
  expect(await operations.get(running)).toMatchObject({
    summary: { status: 'Cancelled' },
    stepStates: [{ status: 'Succeeded', output: 1 }],
  });
  expect(await operations.claim()).toEqual([]);
  await hub.as(member, 'devices_CancelOperation', { deviceOperationId: running });
  const again = await hub.refusal(member, 'devices_StartOperation', { deviceOperationId: running });
  expect(again).toMatchObject({ kind: 'Invalid', message: expect.stringMatching(/has ended/) });
});

test('a command that takes too long times out, and one that is not claimed, too', async () => {
  await connectedDevice(scene);
  const id = await operations.started([{ ...reboot, timeoutSecs: 60 }]);
  hub.advance(59);
  await operations.tick();
  expect((await operations.get(id)).summary.status).toBe('Running');
  hub.advance(2);
  await operations.tick();
  expect(await operations.get(id)).toMatchObject({
    summary: { status: 'TimedOut' },
    stepStates: [{ status: 'TimedOut' }],
  });
});

test('an operation whose device never comes is not delivered', async () => {
  const id = await operations.started([setRing]);
  hub.advance(7 * 86_400 + 1);
  await operations.tick();
  expect((await operations.get(id)).summary).toMatchObject({ status: 'TimedOut', outcome: 'NotDelivered' });
});

test('what the schema of a command says is only written is masked', async () => {
  const secret = { type: 'string', writeOnly: true };
  const schema = {
    type: 'object',
    properties: {
      user: { type: 'string' },
      password: secret,
      hosts: { items: { properties: { key: secret } } },
    },
  };
  await hub.as(device.actor, 'devices_SetDeviceProperty', {
    deviceId: device.deviceId,
    name: 'dev.nexigon.commands',
    value: { commands: [{ name: 'sign-in', input: schema }] },
  });
  const input = { user: 'ada', password: 'hunter2', hosts: [{ key: 'hunter3' }] };
  await connectedDevice(scene);
  const id = await operations.started([{ kind: 'DeviceCommand', command: 'sign-in', input }]);
  const { steps } = await operations.get(id);
  expect(steps[0]).toMatchObject({ input: { user: 'ada', password: '***', hosts: [{ key: '***' }] } });
  expect((await operations.claim())[0]?.step).toMatchObject({ input });
  await hub.as(device.actor, 'devices_SetDeviceProperty', {
    deviceId: device.deviceId,
    name: 'dev.nexigon.commands',
    value: { commands: [] },
  });
  expect((await operations.get(id)).steps).toEqual(steps);
});

test('steps that cannot be run are refused with their number', async () => {
  const refusal = async (steps: CallInput<'devices_CreateOperation'>['steps']) =>
    (await hub.refusal(member, 'devices_CreateOperation', { deviceId: device.deviceId, name: 'Test', steps }))
      .message;
  expect(await refusal([])).toMatch(/at least one step/);
  expect(await refusal([setRing, { ...setRing, value: 'x'.repeat(300_000) }])).toMatch(/^Step 2: .*256 KiB/);
});

test('a device keeps 200 operations: the oldest that has ended goes', async () => {
  const first = await operations.create([setRing]);
  await hub.as(member, 'devices_CancelOperation', { deviceOperationId: first });
  for (let count = 1; count < 200; count += 1) await operations.create([setRing]);
  hub.advance(1);
  await operations.create([setRing]);
  expect((await hub.as(member, 'devices_GetOperation', { deviceOperationId: first })).result).toBe(
    'NotFound',
  );
  const refused = await hub.refusal(member, 'devices_CreateOperation', {
    deviceId: device.deviceId,
    name: 'Test',
    steps: [setRing],
  });
  expect(refused.message).toMatch(/at most 200/);
});

test('only members see and start operations, and only the device itself claims and reports', async () => {
  const id = await operations.create([reboot]);
  const { stranger } = scene;
  expect((await hub.as(stranger, 'devices_GetOperation', { deviceOperationId: id })).result).toBe('NotFound');
  for (const name of ['devices_StartOperation', 'devices_CancelOperation'] as const)
    expect(await hub.refusal(stranger, name, { deviceOperationId: id })).toMatchObject({
      message: 'Operation not found.',
    });
  const claim = { deviceId: device.deviceId };
  expect((await hub.refusal(member, 'devices_ClaimOperationWork', claim)).kind).toBe('Forbidden');
  const listed: Output<'devices_QueryOperations'> = await hub.as(member, 'devices_QueryOperations', claim);
  expect(listed.operations.map(({ deviceOperationId }) => deviceOperationId)).toEqual([id]);
  expect(listed.operations[0]?.projectId).toBe(project.projectId);
  expect(ids.deviceOperation.raw(id)).toHaveLength(22);
});
