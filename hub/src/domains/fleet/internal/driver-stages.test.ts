import { ids, type Id } from '@corral/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fleetScene, ringOperation, type FleetScene } from '../../../../test/fleet-scene.ts';
import { FleetDriver } from '../jobs/drive-operations.ts';

let scene: FleetScene;
let driver: FleetDriver;
beforeEach(async () => {
  scene = await fleetScene();
  driver = new FleetDriver(scene.hub.executor, console, () => scene.hub.now().getTime());
});
afterEach(() => scene[Symbol.asyncDispose]());

type Operation = Id<'fleetOperation'>;
const owner = () => scene.project.owner;
const start = (fleetOperationId: Operation) =>
  scene.hub.as(owner(), 'fleet_StartOperation', { fleetOperationId });
const found = async (fleetOperationId: Operation) => {
  const answer = await scene.hub.as(owner(), 'fleet_GetOperation', { fleetOperationId });
  if (answer.result !== 'Found') throw new Error('not found');
  return answer;
};
const summaryOf = async (id: Operation) => (await found(id)).summary;
/** Lets everything go on that can, and then so many seconds pass. */
const settle = async (seconds = 60) => {
  while (await driver.tick());
  scene.hub.advance(seconds);
  while (await driver.tick());
};
const oneStage = [{ name: 'All' }];

test('goes on by itself as soon as a gate of properties opens', async () => {
  const devices = await scene.addDevices(4);
  const predicate = {
    kind: 'Equals' as const,
    left: { kind: 'NamedValue' as const, name: 'health' },
    right: { kind: 'Literal' as const, value: 'good' },
  };
  const gates = [{ kind: 'DeviceProperty' as const, predicate, minMatchPercent: 100 }];
  const id = await scene.create({
    stages: [
      { name: 'Half', percentage: 50, autoAdvance: true, soakSecs: 60, guard: { gates } },
      { name: 'All' },
    ],
  });
  await start(id);
  await settle(30);
  await settle(300);
  expect(await summaryOf(id)).toMatchObject({ status: 'Running', activeStageIndex: 0 });
  for (const deviceId of devices)
    await scene.hub.as(owner(), 'devices_SetDeviceProperty', { deviceId, name: 'health', value: 'good' });
  await settle(60);
  expect(await summaryOf(id)).toMatchObject({ status: 'Completed', progress: { succeeded: 4 } });
});

/** An operation whose guard has paused it after the failure of its first device. */
async function heldByGuard() {
  const devices = await scene.addDevices(4);
  const isOk = { kind: 'Get' as const, expr: { kind: 'NamedValue' as const, name: 'ok' }, path: [] };
  const id = await scene.create({
    steps: ringOperation.steps.map((step) => ({ ...step, when: isOk })),
    stages: [
      { name: 'One', percentage: 1, autoAdvance: true, guard: { maxFailurePercent: 20, gates: [] } },
      { name: 'All' },
    ],
    pauseOnFailurePercent: 100,
  });
  await start(id);
  await settle();
  return { id, devices };
}

test('is let go on by a person past the guard that has paused it', async () => {
  const { hub } = scene;
  const { id, devices } = await heldByGuard();
  expect(await summaryOf(id)).toMatchObject({ status: 'Paused', progress: { failed: 1 } });
  for (const deviceId of devices)
    await hub.as(owner(), 'devices_SetDeviceProperty', { deviceId, name: 'ok', value: true });
  // Nothing has changed of the stage.
  expect(await found(id)).toMatchObject({ isHeldByGuard: true });
  const refusal = await hub.refusal(owner(), 'fleet_StartOperation', { fleetOperationId: id });
  expect(refusal.message).toBe(
    'The stage "One" has ended with 0 % success and 100 % failures, with which the next one may not begin. Run it again on the devices that failed, or open the next stage nevertheless.',
  );
  expect(await summaryOf(id)).toMatchObject({ status: 'Paused' });
  const given = { fleetOperationId: id, force: true, reason: 'one device is broken' };
  expect(await hub.as(owner(), 'fleet_AdvanceOperationStage', given)).toEqual({ result: 'Advanced' });
  await settle();
  expect(await summaryOf(id)).toMatchObject({ status: 'Paused', progress: { pending: 3 } });
  await start(id);
  await settle();
  expect(await summaryOf(id)).toMatchObject({ status: 'Failed', progress: { succeeded: 3, failed: 1 } });
});

test('goes on past the guard that has paused it when its failures are tried again', async () => {
  const { id, devices } = await heldByGuard();
  for (const deviceId of devices)
    await scene.hub.as(owner(), 'devices_SetDeviceProperty', { deviceId, name: 'ok', value: true });
  await scene.hub.as(owner(), 'fleet_RetryOperation', { fleetOperationId: id, which: ['Failed'] });
  const { summary, isHeldByGuard } = await found(id);
  expect([summary.status, isHeldByGuard]).toEqual(['Paused', undefined]);
  await start(id);
  await settle();
  expect(await summaryOf(id)).toMatchObject({ status: 'Completed', progress: { succeeded: 4 } });
});

test('runs on a stage that was passed before it opened', async () => {
  await scene.addDevices(4);
  const stages = [{ name: 'Half', percentage: 50 }, { name: 'All' }];
  const id = await scene.create({ stages });
  await start(id);
  await scene.hub.as(owner(), 'fleet_AdvanceOperationStage', { fleetOperationId: id });
  await settle();
  expect(await summaryOf(id)).toMatchObject({ status: 'Completed', progress: { succeeded: 4 } });
});

test('keeps no other one waiting while it cannot go on', async () => {
  await scene.addDevices(1);
  const [broken, good] = [await scene.create({}), await scene.create({})];
  for (const id of [broken, good]) await start(id);
  const warnings: unknown[] = [];
  driver = new FleetDriver(
    {
      run: (actor, handler, ...input) =>
        JSON.stringify(input).includes(ids.fleetOperation.raw(broken))
          ? Promise.reject(new Error('broken'))
          : scene.hub.executor.run(actor, handler, ...input),
    },
    { warn: (fields) => warnings.push(fields) },
    () => scene.hub.now().getTime(),
  );
  await settle(1);
  expect(warnings).toMatchObject([{ fleetOperationId: broken }]);
  expect(await summaryOf(broken)).toMatchObject({ status: 'Running' });
  expect(await summaryOf(good)).toMatchObject({ status: 'Completed' });
});

test('lets devices join at its interval', async () => {
  await scene.addDevices(2);
  const id = await scene.create({
    stages: oneStage,
    enrollmentIntervalSecs: 60,
    closeWhenConverged: false,
  });
  await start(id);
  await settle(1);
  expect(await summaryOf(id)).toMatchObject({ status: 'Running', progress: { total: 2, succeeded: 2 } });
  await scene.addDevices(1);
  await settle(61);
  expect(await summaryOf(id)).toMatchObject({ status: 'Running', progress: { total: 3, succeeded: 3 } });
});

test('places devices that join by its percentages, as at the start', async () => {
  await scene.addDevices(2);
  const stages = [
    { name: 'First', percentage: 40 },
    { name: 'Most', percentage: 80 },
  ];
  const id = await scene.create({ stages, enrollmentIntervalSecs: 60, closeWhenConverged: false });
  await start(id);
  await settle(1);
  await scene.addDevices(60);
  await settle(61);
  const [first, most] = (await found(id)).stageStates;
  expect(first?.devices).toBeGreaterThan(8);
  expect(most?.devices).toBeGreaterThan(8);
  expect(first?.progress).toMatchObject({ total: first?.devices, succeeded: first?.devices });
  // Its stage is not open yet.
  expect(most?.progress).toMatchObject({ total: most?.devices, pending: most?.devices });
  expect((first?.devices ?? 0) + (most?.devices ?? 0)).toBeLessThan(62);
  await scene.hub.as(owner(), 'fleet_AdvanceOperationStage', { fleetOperationId: id });
  await settle(1);
  expect((await found(id)).stageStates[1]?.progress).toMatchObject({ succeeded: most?.devices });
});
