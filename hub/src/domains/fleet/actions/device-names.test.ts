import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fleetScene, type FleetDevice, type FleetScene } from '../../../../test/fleet-scene.ts';

let scene: FleetScene;
beforeEach(async () => {
  scene = await fleetScene();
});
afterEach(() => scene[Symbol.asyncDispose]());

const owner = () => scene.project.owner;
const called = (hostname: string, device: FleetDevice = {}) =>
  scene.addDevice({ ...device, properties: { 'dev.nexigon.systemInfo': { hostname } } });

test('a preview and a refused start name a device without a name by its hostname', async () => {
  const never = await called('rpi-4f2a');
  const { excluded } = await scene.preview({});
  expect(excluded).toMatchObject([{ sample: [{ deviceId: never, name: 'rpi-4f2a' }] }]);
  const fleetOperationId = await scene.create({});
  const { message } = await scene.hub.refusal(owner(), 'fleet_StartOperation', { fleetOperationId });
  expect(message).toContain('Has never connected (rpi-4f2a).');
});

test('the difference to a preview names a device without a name by its hostname', async () => {
  await scene.addDevices(1);
  const { previewHash } = await scene.preview({});
  const fleetOperationId = await scene.create({ previewHash });
  await called('rpi-4f2a', { isConnected: true });
  const { message } = await scene.hub.refusal(owner(), 'fleet_StartOperation', { fleetOperationId });
  expect(message).toContain('(rpi-4f2a)');
});

test('an operation lists a device without a name, and how it failed, by its hostname', async () => {
  const deviceId = await called('rpi-4f2a', { isConnected: true });
  const named = await called('rpi-5', { name: 'Mill', isConnected: true });
  const fleetOperationId = await scene.create({ stages: [{ name: 'All' }] });
  await scene.hub.as(owner(), 'fleet_StartOperation', { fleetOperationId });
  const { targets } = await scene.hub.as(owner(), 'fleet_QueryOperationTargets', { fleetOperationId });
  const names = new Map(targets.map((target) => [target.deviceId, target.deviceName]));
  expect(names.get(deviceId)).toBe('rpi-4f2a');
  expect(names.get(named)).toBe('Mill');
  const { db } = scene.hub.database;
  const failed = async (error: string) => {
    await sql`update device_operations set status = 'Failed', last_error = ${error}
      where fleet_operation_id = ${ids.fleetOperation.raw(fleetOperationId)}`.execute(db);
    return (await scene.hub.as(owner(), 'fleet_QueryFailureGroups', { fleetOperationId })).groups;
  };
  const [group] = await failed('exit code 1: cannot write 1.3 to /tmp/c6');
  expect(group).toMatchObject({
    text: 'exit code …: cannot write ….… to /tmp/c…',
    example: 'exit code 1: cannot write 1.3 to /tmp/c6',
    count: 2,
  });
  expect(group?.sample.map(({ name }) => name).toSorted()).toEqual(['Mill', 'rpi-4f2a']);
  expect((await failed('x'.repeat(600)))[0]?.example).toBe(`${'x'.repeat(500)}…`);
});
