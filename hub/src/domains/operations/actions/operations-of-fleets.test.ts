import { ids, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { beforeEach, expect, test, vi } from 'vitest';
import { newRawId } from '../../../auth/random.ts';
import { type DeviceScene, deviceScene } from '../../../../test/device-scene.ts';
import {
  connectedDevice,
  type OperationScene,
  operationsOf,
  type Work,
} from '../../../../test/operation-scene.ts';
import { seedDevice, waitingLocks } from '../../../../test/seed.ts';

const scene = deviceScene();
const { hub } = scene;
const touch = { kind: 'DeviceCommand', command: 'touch', input: null, timeoutSecs: 100 };
let fleetId: string;
let devices: {
  readonly operations: OperationScene;
  readonly id: Id<'deviceOperation'>;
  readonly connectionId: string;
  /** Connects it again. */
  reconnect(): Promise<string>;
}[];

beforeEach(async () => {
  fleetId = newRawId();
  devices = [];
  await sql`insert into fleet_operations (fleet_operation_id, project_id, name, status, definition, steps, close_when_converged, max_in_flight,
      pause_on_failure_percent, deliver_within_secs, created_by, created_at, started_at, resumed_at)
    values (${fleetId}, ${ids.project.raw(scene.project.projectId)}, 'Update', 'Running', '{}',
      ${JSON.stringify([touch, { kind: 'SetDeviceProperty', name: 'done', value: true }])}::jsonb, true, 10, 25, 3600,
      ${JSON.stringify(scene.member)}::jsonb, ${hub.now()}, ${hub.now()}, ${hub.now()})`.execute(
    hub.database.db,
  );
  await sql`insert into fleet_operation_stages (fleet_operation_id, stage_index, devices, opened_at)
    values (${fleetId}, 0, 4, ${hub.now()})`.execute(hub.database.db);
  for (let count = 0; count < 4; count += 1) await addDevice();
});

/** A device that is connected and runs the operation. */
async function addDevice(): Promise<void> {
  const own: DeviceScene = { ...scene, device: await seedDevice(hub, scene.project) };
  const connectionId = await connectedDevice(own);
  const operationId = newRawId();
  await sql`insert into device_operations (device_operation_id, project_id, device_id, fleet_operation_id, name, step_count, stage_index,
      status, created_at, released_at, started_at, updated_at)
    values (${operationId}, ${ids.project.raw(scene.project.projectId)}, ${ids.device.raw(own.device.deviceId)}, ${fleetId}, 'Update', 2, 0,
      'Running', ${hub.now()}, ${hub.now()}, ${hub.now()}, ${hub.now()})`.execute(hub.database.db);
  const operations = operationsOf(own);
  const id = ids.deviceOperation.of(operationId);
  devices.push({ operations, id, connectionId, reconnect: () => connectedDevice(own) });
  await operations.tick();
}

const at = (index: number) => devices[index] as (typeof devices)[number];
const fleet = async () =>
  await hub.database.db
    .selectFrom('fleet_operations')
    .selectAll()
    .where('fleet_operation_id', '=', fleetId)
    .executeTakeFirstOrThrow();
const failures = async () =>
  (
    await hub.database.db
      .selectFrom('fleet_operation_stages')
      .select('failures')
      .where('fleet_operation_id', '=', fleetId)
      .executeTakeFirstOrThrow()
  ).failures;
const interrupted = 'previous command execution was interrupted after dispatch';
const setStatus = (status: 'Paused' | 'Running') =>
  sql`update fleet_operations set status = ${status}, resumed_at = ${hub.now()} where fleet_operation_id = ${fleetId}`.execute(
    hub.database.db,
  );
const claimed = async (index: number): Promise<Work> => {
  const [work] = await at(index).operations.claim();
  return work as Work;
};
const statusOf = async (index: number) => (await at(index).operations.get(at(index).id)).summary.status;

test('the failure that exceeds the budget pauses the operation, and nothing more is handed out', async () => {
  const works = [await claimed(0), await claimed(1)];
  await at(0).operations.report(works[0], { status: 'Failed', error: 'no' });
  expect((await fleet()).status).toBe('Running');
  await at(1).operations.report(works[1], { status: 'Failed', error: 'no' });
  expect(await fleet()).toMatchObject({
    status: 'Paused',
    pause_reason: 'More than 1 of 4 devices of the stage failed.',
  });
  expect(await at(2).operations.claim()).toEqual([]);
  expect(hub.emittedEvents.some(({ name }) => name === 'fleet_OperationPaused')).toBe(true);
});

test('a budget of 0 tolerates no failure', async () => {
  await sql`update fleet_operations set pause_on_failure_percent = 0 where fleet_operation_id = ${fleetId}`.execute(
    hub.database.db,
  );
  await at(0).operations.report(await claimed(0), { status: 'Failed', error: 'no' });
  expect(await fleet()).toMatchObject({
    status: 'Paused',
    pause_reason: 'A device of the stage failed; none may.',
  });
});

test.each([
  ['stopped', sql`update device_connections set ended_at = now(), end_reason = 'ServerShutdown'`],
  ['died', sql`update cluster_nodes set lease_until = '2020-01-01'`],
])('an interruption by a node that %s counts against no budget', async (_how, ending) => {
  const pair = [at(0), at(1)];
  for (const { operations, connectionId } of pair) await operations.claim(connectionId);
  await ending.execute(hub.database.db);
  for (const { operations, reconnect } of pair) {
    const [work] = await operations.claim(await reconnect());
    await operations.report(work, { status: 'Failed', error: interrupted });
  }
  expect([await statusOf(0), (await fleet()).status]).toEqual(['Failed', 'Running']);
  expect(await failures()).toBe(0);
});

test('an interruption by the device itself counts', async () => {
  const { operations, connectionId, reconnect } = at(0);
  await operations.claim(connectionId);
  await sql`update device_connections set ended_at = now(), end_reason = 'Disconnected' where connection_id = ${connectionId}`.execute(
    hub.database.db,
  );
  const [work] = await operations.claim(await reconnect());
  await operations.report(work, { status: 'Failed', error: interrupted });
  expect(await failures()).toBe(1);
});

test('an interruption by the device counts also where a node stopped before, and that of a channel by its own connection', async () => {
  const { operations, connectionId, reconnect } = at(0);
  const end = (connection: string, reason: string) =>
    sql`update device_connections set ended_at = ${hub.now()}, end_reason = ${reason} where connection_id = ${connection}`.execute(
      hub.database.db,
    );
  await operations.claim(connectionId);
  await end(connectionId, 'ServerShutdown');
  const second = await reconnect();
  await operations.claim(second);
  await end(second, 'Disconnected');
  const [work] = await operations.claim(await reconnect());
  await operations.report(work, { status: 'Failed', error: interrupted });
  expect(await failures()).toBe(1);
  await at(1).operations.claim(at(1).connectionId);
  await end(at(1).connectionId, 'ServerShutdown');
  const next = await at(1).reconnect();
  await sql`update device_operation_steps set carrier = 'Channel', connection_id = ${next} where device_operation_id = ${ids.deviceOperation.raw(at(1).id)}`.execute(
    hub.database.db,
  );
  await end(next, 'Disconnected');
  hub.advance(20);
  await at(1).operations.tick();
  expect([await statusOf(0), await statusOf(1)]).toEqual(['Failed', 'Failed']);
  expect(await failures()).toBe(2);
});

test('what already runs is recorded while the operation is paused, and goes on when it does', async () => {
  const work = await claimed(0);
  await setStatus('Paused');
  await at(0).operations.report(work, { status: 'Succeeded' });
  await at(0).operations.tick();
  expect(await at(0).operations.get(at(0).id)).toMatchObject({
    summary: { status: 'Running', stepIndex: 1 },
    stepStates: [{ status: 'Succeeded' }],
  });
  await setStatus('Running');
  await at(0).operations.tick();
  expect(await statusOf(0)).toBe('Succeeded');
});

test('no clock runs out while the operation is paused, and all begin again', async () => {
  await claimed(0);
  await setStatus('Paused');
  hub.advance(1000);
  await at(0).operations.tick();
  expect(await statusOf(0)).toBe('Running');
  await setStatus('Running');
  hub.advance(99);
  await at(0).operations.tick();
  expect(await statusOf(0)).toBe('Running');
  hub.advance(2);
  await at(0).operations.tick();
  expect(await statusOf(0)).toBe('TimedOut');
});

test('a claim that meets a pause waits for its commit, and then gets nothing', async () => {
  const pausing = Promise.withResolvers<void>();
  const isLocked = Promise.withResolvers<void>();
  const isPaused = hub.database.db.transaction().execute(async (tx) => {
    await sql`select 1 from fleet_operations where fleet_operation_id = ${fleetId} for update`.execute(tx);
    await sql`update fleet_operations set status = 'Paused' where fleet_operation_id = ${fleetId}`.execute(
      tx,
    );
    isLocked.resolve();
    await pausing.promise;
  });
  await isLocked.promise;
  const claim = at(0).operations.claim();
  await vi.waitFor(async () => expect(await waitingLocks(hub.database.db)).toBeGreaterThan(0), {
    timeout: 10_000,
  });
  pausing.resolve();
  await isPaused;
  expect(await claim).toEqual([]);
});
