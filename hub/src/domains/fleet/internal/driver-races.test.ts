import type { Id } from '@corral/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { absentId } from '../../../../test/fresh-executor.ts';
import { fleetScene, ringOperation, type FleetScene } from '../../../../test/fleet-scene.ts';
import { failureBudget } from '../../operations/index.ts';
import { FleetDriver } from '../jobs/drive-operations.ts';
import { filledStages, sizedStages } from '../sql/stage-sizes.ts';

let scene: FleetScene;
beforeEach(async () => {
  scene = await fleetScene();
});
afterEach(() => scene[Symbol.asyncDispose]());

const owner = () => scene.project.owner;
const driverOf = () => new FleetDriver(scene.hub.executor, console, () => scene.hub.now().getTime());
const offers = [{ name: 'reboot' }];
const steps = [{ kind: 'DeviceCommand' as const, command: 'reboot', input: null }];
const stages = [{ name: 'All' }];
const start = (fleetOperationId: Id<'fleetOperation'>) =>
  scene.hub.as(owner(), 'fleet_StartOperation', { fleetOperationId });
const summaryOf = async (fleetOperationId: Id<'fleetOperation'>) => {
  const answer = await scene.hub.as(owner(), 'fleet_GetOperation', { fleetOperationId });
  if (answer.result !== 'Found') throw new Error('not found');
  return answer.summary;
};
const deviceActor = (deviceId: Id<'device'>) =>
  ({ actor: 'Device', kind: 'Device', deviceId, tokenId: absentId('deploymentTokenId') }) as const;

test('two nodes that drive at once run each step of each device once, within the slots', async () => {
  await scene.addDevices(60);
  const id = await scene.create({
    stages,
    steps: [...ringOperation.steps, ...ringOperation.steps],
    maxInFlight: 7,
  });
  await start(id);
  const [one, other] = [driverOf(), driverOf()];
  for (let round = 0; round < 200 && (await summaryOf(id)).status === 'Running'; round += 1) {
    scene.hub.advance(1);
    await Promise.all([one.tick(), other.tick()]);
  }
  expect(await summaryOf(id)).toMatchObject({ status: 'Completed', progress: { succeeded: 60, total: 60 } });
  const { rows } = await sql<{ started: number; steps: number }>`
    select (select count(*) from operation_events where kind = 'Started' and device_operation_id is not null) as started,
      (select count(*) from device_operation_steps) as steps`.execute(scene.hub.database.db);
  expect(rows).toEqual([{ started: 60, steps: 120 }]);
});

test('with a budget and slots never more devices are touched after the last allowed failure than there were slots', async () => {
  for (const [count, slots, percent] of [
    [20, 3, 5],
    [30, 5, 10],
    [12, 12, 20],
  ] as const) {
    const devices: Id<'device'>[] = [];
    for (let device = 0; device < count; device += 1)
      devices.push(await scene.addDevice({ isConnected: true, commands: offers }));
    const id = await scene.create({
      selector: { predicates: [], deviceIds: devices },
      stages,
      steps,
      maxInFlight: slots,
      pauseOnFailurePercent: percent,
    });
    await start(id);
    const driver = driverOf();
    let failures = 0;
    for (let round = 0; round < 6; round += 1) {
      scene.hub.advance(60);
      while (await driver.tick());
      const reports = devices.map(async (deviceId) => {
        const { work } = await scene.hub.as(deviceActor(deviceId), 'devices_ClaimOperationWork', {
          deviceId,
        });
        const [item] = work;
        if (item === undefined) return;
        const { deviceOperationId, stepIndex, claimId } = item;
        const report = { status: 'Failed' as const, error: 'broken' };
        failures += 1;
        await scene.hub.as(deviceActor(deviceId), 'devices_ReportOperationStep', {
          deviceId,
          deviceOperationId,
          stepIndex,
          claimId,
          report,
        });
      });
      await Promise.all(reports);
    }
    const { status, progress } = await summaryOf(id);
    const budget = failureBudget(count, percent);
    expect(status).toBe(count <= budget ? 'Failed' : 'Paused');
    expect(failures).toBeLessThanOrEqual(budget + slots);
    expect(progress.total - progress.pending).toBeLessThanOrEqual(budget + slots);
  }
});

test('stages cover the share of the devices that they name, each device once', () => {
  const percentages = fc.uniqueArray(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(percentages, fc.nat(100_000), (given, devices) => {
      const sorted = given.toSorted((one, other) => one - other).map((percentage) => ({ percentage }));
      const sized = sizedStages(sorted, devices);
      let before = 0;
      for (const { stage, devices: own } of sized) {
        before += own;
        expect(before).toBe(Math.min(devices, Math.max(1, Math.ceil((devices * stage.percentage) / 100))));
      }
      expect(filledStages(sorted, devices).reduce((sum, one) => sum + one.devices, 0)).toBe(before);
    }),
  );
});
