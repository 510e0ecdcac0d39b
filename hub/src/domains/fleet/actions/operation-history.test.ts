import type { Id } from '@corral/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { absentId } from '../../../../test/fresh-executor.ts';
import { fleetScene, type FleetScene } from '../../../../test/fleet-scene.ts';
import { FleetDriver } from '../jobs/drive-operations.ts';
import { stepSecondsOf } from '../policy/history-steps.ts';

let scene: FleetScene;
let driver: FleetDriver;
beforeEach(async () => {
  scene = await fleetScene();
  driver = new FleetDriver(scene.hub.executor, console, () => scene.hub.now().getTime());
});
afterEach(() => scene[Symbol.asyncDispose]());

const owner = () => scene.project.owner;
const settle = async (seconds: number) => {
  while (await driver.tick());
  scene.hub.advance(seconds);
};
/** Lets a device do its step and report how it ended. */
async function end(deviceId: Id<'device'>, status: 'Succeeded' | 'Failed'): Promise<void> {
  const device = {
    actor: 'Device',
    kind: 'Device',
    deviceId,
    tokenId: absentId('deploymentTokenId'),
  } as const;
  const { work } = await scene.hub.as(device, 'devices_ClaimOperationWork', { deviceId });
  const { deviceOperationId, stepIndex, claimId } = work[0] ?? expect.fail('there is no work');
  const report = { status, ...(status === 'Failed' ? { error: 'exit code 7' } : {}) };
  const of = { deviceId, deviceOperationId, stepIndex, claimId, report };
  await scene.hub.as(device, 'devices_ReportOperationStep', of);
}

test('an operation tells how its devices ended over its time, and what happened to it alone', async () => {
  const add = () => scene.addDevice({ isConnected: true, commands: [{ name: 'reboot' }] });
  const devices = [await add(), await add(), await add()];
  const fleetOperationId = await scene.create({
    stages: [{ name: 'All' }],
    steps: [{ kind: 'DeviceCommand', command: 'reboot', input: null }],
    pauseOnFailurePercent: 5,
  });
  const history = () => scene.hub.as(owner(), 'fleet_QueryOperationHistory', { fleetOperationId });
  expect(await history()).toMatchObject({ succeeded: [], failed: [], timedOut: [] });
  await scene.hub.as(owner(), 'fleet_StartOperation', { fleetOperationId });
  const startedAt = scene.hub.now().getTime();
  await settle(10);
  await end(devices[0] as Id<'device'>, 'Succeeded');
  await settle(30);
  await end(devices[1] as Id<'device'>, 'Failed');
  await end(devices[2] as Id<'device'>, 'Failed');
  await settle(2);
  const told = await history();
  expect([Date.parse(told.from), told.stepSeconds]).toEqual([startedAt, 1]);
  expect(told.succeeded).toHaveLength(42);
  expect([told.succeeded[10], told.failed[40]]).toEqual([1, 2]);

  const { events } = await scene.hub.as(owner(), 'fleet_QueryOperationEvents', {
    fleetOperationId,
    ofOperation: true,
  });
  const kinds = events.map(({ kind }) => kind);
  expect(kinds).toContain('Paused');
  expect(kinds).not.toContain('Claimed');
  expect(kinds.at(-1)).toBe('Created');

  const { openOperationCount } = await scene.hub.as(owner(), 'projects_GetProjectDetails', {
    projectId: scene.project.projectId,
  });
  expect(openOperationCount).toBe(1);

  const { entries } = await scene.hub.as(owner(), 'devices_QueryTimeline', {
    deviceId: devices[1] as Id<'device'>,
    kinds: ['Operation'],
  });
  expect(entries).toMatchObject([
    { kind: 'Operation', title: expect.stringMatching(/ failed after 40 s$/u), detail: 'exit code 7' },
  ]);
});

test('a history has at most 60 steps, each as long as people count time', () => {
  expect([1, 60, 61, 3_600, 3_601, 8 * 3_600, 7 * 86_400].map(stepSecondsOf)).toEqual([
    1, 1, 2, 60, 120, 600, 10_800,
  ]);
  for (const days of [30, 90, 400])
    expect((days * 86_400) / stepSecondsOf(days * 86_400)).toBeLessThanOrEqual(60);
});
