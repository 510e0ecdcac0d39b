import type { CallInput, Id } from '@corral/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { absentId } from '../../../../test/fresh-executor.ts';
import { fleetScene, ringOperation, type FleetScene } from '../../../../test/fleet-scene.ts';
import { tickOperations } from '../../operations/jobs/operation-ticks.ts';
import { FleetDriver } from '../jobs/drive-operations.ts';

let scene: FleetScene;
let driver: FleetDriver;
let deviceId: Id<'device'>;
beforeEach(async () => {
  scene = await fleetScene();
  driver = new FleetDriver(scene.hub.executor, console, () => scene.hub.now().getTime());
  // To the next whole hour, so that windows can be named.
  scene.hub.advance(3600 - ((scene.hub.now().getTime() / 1000) % 3600));
  deviceId = await scene.addDevice({ isConnected: true, commands: [{ name: 'touch' }] });
});
afterEach(() => scene[Symbol.asyncDispose]());

const hourSecs = 3600;
const inHours = (hours: number) =>
  new Date(scene.hub.now().getTime() + hours * hourSecs * 1000).toISOString();
/** A window from one to another hour from now. */
const between = (from: number, to: number) => ({
  from: inHours(from).slice(11, 16),
  to: inHours(to).slice(11, 16),
  timeZone: 'UTC',
});
const oneStage = [{ name: 'All' }];
const touch = { kind: 'DeviceCommand' as const, command: 'touch', input: null, timeoutSecs: 36_000 };
const proof = {
  kind: 'WaitForDeviceProperty' as const,
  predicate: {
    kind: 'Equals' as const,
    left: { kind: 'NamedValue' as const, name: 'corral.installed' },
    right: { kind: 'Literal' as const, value: true },
  },
  timeoutSecs: 36_000,
};
const start = async (input: Partial<CallInput<'fleet_CreateOperation'>>) => {
  const fleetOperationId = await scene.create({ stages: oneStage, ...input });
  await scene.hub.as(scene.project.owner, 'fleet_StartOperation', { fleetOperationId });
  await settle();
  return fleetOperationId;
};
const settle = async () => {
  while (await driver.tick());
  await tickOperations(scene.hub.executor);
  while (await driver.tick());
};
const hoursLater = async (hours: number) => {
  scene.hub.advance(hours * hourSecs);
  await settle();
};
const summaryOf = async (fleetOperationId: Id<'fleetOperation'>) => {
  const answer = await scene.hub.as(scene.project.owner, 'fleet_GetOperation', { fleetOperationId });
  return answer.result === 'Found' ? answer.summary : expect.fail('not found');
};
const device = () =>
  ({ actor: 'Device', kind: 'Device', deviceId, tokenId: absentId('deploymentTokenId') }) as const;
const claim = async () => (await scene.hub.as(device(), 'devices_ClaimOperationWork', { deviceId })).work;
const report = async ([work]: Awaited<ReturnType<typeof claim>>) => {
  const { deviceOperationId, stepIndex, claimId } = work ?? expect.fail('there is no work');
  await scene.hub.as(device(), 'devices_ReportOperationStep', {
    deviceId,
    deviceOperationId,
    stepIndex,
    claimId,
    report: { status: 'Succeeded' },
  });
};

test('devices begin when the window opens, and until then the operation says when that is', async () => {
  const window = between(2, 4);
  expect((await scene.preview({ window })).window).toEqual({ opensAt: inHours(2), closesAt: inHours(4) });
  const id = await start({ window });
  const opensAt = inHours(2);
  expect(await summaryOf(id)).toMatchObject({ window, opensAt, progress: { pending: 1 } });
  await hoursLater(1.99);
  expect(await summaryOf(id)).toMatchObject({ opensAt, progress: { pending: 1 } });
  await hoursLater(0.02);
  const summary = await summaryOf(id);
  expect(summary).toMatchObject({ status: 'Completed', progress: { succeeded: 1 } });
  expect(summary.opensAt).toBeUndefined();
});

test('what a device has taken goes on after the window has closed; the next step waits for the next day', async () => {
  const id = await start({ steps: [touch, touch], window: between(-1, 1) });
  const first = await claim();
  expect(first).toMatchObject([{ stepIndex: 0 }]);
  await hoursLater(1);
  expect(await summaryOf(id)).toMatchObject({ status: 'Running', opensAt: inHours(22) });
  // A device that has lost its claim asks again for what it runs.
  await report(await claim());
  await settle();
  expect(await claim()).toEqual([]);
  await hoursLater(21.99);
  expect(await claim()).toEqual([]);
  await hoursLater(0.02);
  const second = await claim();
  expect(second).toMatchObject([{ stepIndex: 1 }]);
  await report(second);
  await settle();
  expect((await summaryOf(id)).status).toBe('Completed');
});

test('a step that nobody took while the window was open is not handed out afterwards', async () => {
  const id = await start({ steps: [touch], window: between(-1, 1) });
  expect((await summaryOf(id)).progress).toMatchObject({ running: 1 });
  await hoursLater(1);
  expect(await claim()).toEqual([]);
});

test('the clock of a step that waits for the window begins with the window', async () => {
  const id = await start({ steps: [touch], window: between(-1, 1) });
  await hoursLater(1);
  await hoursLater(22.5);
  expect(await summaryOf(id)).toMatchObject({ status: 'Running', progress: { running: 1, timedOut: 0 } });
  await report(await claim());
  await settle();
  expect((await summaryOf(id)).status).toBe('Completed');
});

test('properties that the hub sets wait for the window as commands do', async () => {
  await start({ steps: [touch, ...ringOperation.steps], window: between(-1, 1) });
  const work = await claim();
  await hoursLater(1);
  await report(work);
  const ring = async () =>
    (await scene.hub.as(scene.project.owner, 'devices_GetDeviceProperty', { deviceId, name: 'ring' })).result;
  await settle();
  expect(await ring()).toBe('NotFound');
  await hoursLater(22.01);
  expect(await ring()).toBe('Found');
});

test('what proves an install is waited for also after the window has closed', async () => {
  const id = await start({ steps: [touch, proof, touch], window: between(-1, 1) });
  const work = await claim();
  await hoursLater(1);
  await report(work);
  const stepsOf = async () => {
    const { targets } = await scene.hub.as(scene.project.owner, 'fleet_QueryOperationTargets', {
      fleetOperationId: id,
    });
    return targets.map(({ stepIndex }) => stepIndex);
  };
  expect(await stepsOf()).toEqual([1]);
  await scene.hub.as(scene.project.owner, 'devices_SetDeviceProperty', {
    deviceId,
    name: 'corral.installed',
    value: true,
  });
  await hoursLater(0.1);
  expect(await stepsOf()).toEqual([2]);
  expect(await claim()).toEqual([]);
});

test('a wait counts after a pause, and while the window is closed', async () => {
  const fleetOperationId = await start({ steps: [touch, proof], window: between(-1, 1) });
  const work = await claim();
  await scene.hub.as(scene.project.owner, 'fleet_PauseOperation', { fleetOperationId });
  await report(work);
  await hoursLater(2);
  await scene.hub.as(scene.project.owner, 'devices_SetDeviceProperty', {
    deviceId,
    name: 'corral.installed',
    value: true,
  });
  await settle();
  expect(await summaryOf(fleetOperationId)).toMatchObject({ status: 'Paused', progress: { running: 1 } });
  await scene.hub.as(scene.project.owner, 'fleet_StartOperation', { fleetOperationId });
  await settle();
  expect(await summaryOf(fleetOperationId)).toMatchObject({ status: 'Completed' });
});

test('the preview warns of a window that opens after the time to reach devices', async () => {
  const warnings = async (deliverWithinSecs: number) =>
    (await scene.preview({ window: between(2, 3), deliverWithinSecs })).warnings;
  const warning = 'The window opens after the time to reach devices has ended: it would run on none.';
  expect(await warnings(2 * hourSecs)).toContain(warning);
  expect(await warnings(2 * hourSecs + 1)).not.toContain(warning);
});

test('the clocks of steps and of the delivery go on while it waits', async () => {
  const late = await start({ steps: [touch], window: between(-1, 1) });
  await claim();
  await hoursLater(10.01);
  expect(await summaryOf(late)).toMatchObject({ status: 'Failed', progress: { timedOut: 1 } });
  const undelivered = await start({ window: between(2, 3), deliverWithinSecs: hourSecs });
  await hoursLater(1.01);
  expect(await summaryOf(undelivered)).toMatchObject({ status: 'Completed', notDelivered: 1 });
});

test('an operation that waits for its window keeps no other one from a device', async () => {
  const waiting = await start({ window: between(2, 3) });
  scene.hub.advance(1);
  const other = await start({ name: 'Other' });
  expect((await summaryOf(other)).status).toBe('Completed');
  expect((await summaryOf(waiting)).status).toBe('Running');
});

test('one that goes on after a pause waits for its window, also where the pause was longer than a day', async () => {
  const id = await start({ window: between(2, 3) });
  const of = { fleetOperationId: id };
  await scene.hub.as(scene.project.owner, 'fleet_PauseOperation', of);
  await hoursLater(30);
  expect((await summaryOf(id)).opensAt).toBeUndefined();
  await scene.hub.as(scene.project.owner, 'fleet_StartOperation', of);
  expect((await summaryOf(id)).opensAt).toBe(inHours(20));
  await settle();
  expect(await summaryOf(id)).toMatchObject({ status: 'Running', opensAt: inHours(20) });
  await hoursLater(20);
  expect((await summaryOf(id)).status).toBe('Completed');
});

test('a window that cannot be is refused, and nothing else of an operation can change it', async () => {
  const refusal = async (window: CallInput<'fleet_CreateOperation'>['window']) =>
    (
      await scene.hub.refusal(scene.project.owner, 'fleet_CreateOperation', {
        projectId: scene.project.projectId,
        ...ringOperation,
        window,
      })
    ).message;
  const night = { from: '22:00', to: '05:00', timeZone: 'Europe/Berlin' };
  expect(await refusal({ ...night, timeZone: 'Europe/Berlino' })).toMatch(/no time zone "Europe\/Berlino"/);
  expect(await refusal({ ...night, to: '22:00' })).toMatch(/has no end/);
  expect(await refusal({ ...night, to: '25:00' })).toMatch(/must be a time of day/);
  const id = await start({ window: between(2, 3) });
  await scene.hub.as(scene.project.owner, 'fleet_SetOperationPace', { fleetOperationId: id, maxInFlight: 1 });
  expect((await summaryOf(id)).window).toEqual(between(2, 3));
});
