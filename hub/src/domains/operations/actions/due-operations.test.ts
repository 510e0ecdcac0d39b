import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { deviceScene } from '../../../../test/device-scene.ts';
import { connectedDevice, type OperationScene, operationsOf } from '../../../../test/operation-scene.ts';
import { FindDueOperations } from '../internal/FindDueOperations.ts';
import { HintUntakenSteps } from '../internal/HintUntakenSteps.ts';
import { MoveStep } from '../internal/MoveStep.ts';
import { RecordChannelResult } from '../internal/RecordChannelResult.ts';
import { TakeStep } from '../internal/TakeStep.ts';

const scene = deviceScene();
const { hub, device, member } = scene;
let operations: OperationScene;
let connectionId: string;
beforeEach(async () => {
  operations = operationsOf(scene);
  connectionId = await connectedDevice(scene);
});

const due = () => hub.run(FindDueOperations);
const set = (name: string, value: unknown) =>
  hub.as(device.actor, 'devices_SetDeviceProperty', {
    deviceId: device.deviceId,
    name,
    value: value as never,
  });
const touch = { kind: 'DeviceCommand' as const, command: 'touch', input: null, timeoutSecs: 60 };
const isOpen = {
  kind: 'WaitForDeviceProperty' as const,
  predicate: {
    kind: 'Equals' as const,
    left: { kind: 'NamedValue' as const, name: 'open' },
    right: { kind: 'Literal' as const, value: true },
  },
};

test('a wait is due only after a change of a property that it reads', async () => {
  const id = ids.deviceOperation.raw(await operations.started([isOpen]));
  await operations.tick();
  await set('heartbeat', 1);
  expect(await due()).toEqual([]);
  await set('open', false);
  expect(await due()).toEqual([id]);
  await operations.tick();
  expect(await due()).toEqual([]);
  await hub.as(device.actor, 'devices_RemoveProperty', { deviceId: device.deviceId, name: 'open' });
  expect(await due()).toEqual([id]);
});

/** Copies the operation of the device to so many other devices, with its steps. */
async function copyToDevices(rawId: string, count: number): Promise<void> {
  const { db } = hub.database;
  await sql`insert into all_devices select (jsonb_populate_record(d, jsonb_build_object('device_id', 'copy' || n, 'fingerprint_id', 'copy' || n, 'name', null))).* from all_devices d, generate_series(1, ${count}::int) n
    where device_id = ${ids.device.raw(device.deviceId)}`.execute(db);
  await sql`insert into device_operations select (jsonb_populate_record(o, jsonb_build_object('device_id', 'copy' || n, 'device_operation_id', 'copy' || n))).*
    from device_operations o, generate_series(1, ${count}::int) n where device_operation_id = ${rawId}`.execute(
    db,
  );
  await sql`insert into device_operation_steps select (jsonb_populate_record(s, jsonb_build_object('device_operation_id', 'copy' || n))).*
    from device_operation_steps s, generate_series(1, ${count}::int) n where device_operation_id = ${rawId}`.execute(
    db,
  );
}

test('ended times come first, however many waits are due, and of those the ones that wait longest', async () => {
  const id = ids.deviceOperation.raw(await operations.started([{ ...isOpen, timeoutSecs: 100 }]));
  await copyToDevices(id, 1200);
  const { db } = hub.database;
  await sql`update device_operation_steps set timeout_secs = 10_000 where device_operation_id like 'copy%'`.execute(
    db,
  );
  await sql`update device_operation_steps set checked_at = checked_at - interval '1 minute' where device_operation_id = 'copy7'`.execute(
    db,
  );
  hub.advance(101);
  const found = await due();
  expect(found).toHaveLength(501);
  expect(found.slice(0, 2)).toEqual([id, 'copy7']);
});

test('a step that was claimed over an ended connection goes to a claim that is held', async () => {
  const id = await operations.started([touch]);
  await operations.claim();
  await sql`update device_operation_steps set connection_id = ${connectionId}`.execute(hub.database.db);
  const next = ids.deviceConnection.of(await connectedDevice(scene));
  const take = () =>
    hub.run(TakeStep, {
      deviceId: device.deviceId,
      connectionId: next,
      claims: ['DeviceCommand'],
      mayOpenChannel: false,
    });
  hub.advance(5);
  expect(await take()).toBeUndefined();
  await sql`update device_connections set ended_at = ${hub.now()} where connection_id = ${connectionId}`.execute(
    hub.database.db,
  );
  await hub.run(HintUntakenSteps);
  expect(hub.emittedEvents.at(-1)).toMatchObject({
    name: 'devices_OperationWorkAvailable',
    data: { deviceId: device.deviceId },
  });
  expect(await take()).toMatchObject({ carrier: 'Claim', item: { deviceOperationId: id } });
  expect(await take()).toBeUndefined();
});

test('a claim over another connection gets no step while the connection that has it lives', async () => {
  await operations.started([touch]);
  const [work] = await operations.claim(connectionId);
  const other = await connectedDevice(scene);
  expect(await operations.claim(other)).toEqual([]);
  expect(await operations.claim()).toEqual([]);
  expect((await operations.claim(connectionId))[0]?.deviceOperationId).toBe(work?.deviceOperationId);
  await sql`update device_connections set ended_at = ${hub.now()} where connection_id = ${connectionId}`.execute(
    hub.database.db,
  );
  expect(await operations.claim(other)).toHaveLength(1);
});

test('a connection of which no row is kept has ended', async () => {
  const id = await operations.started([touch]);
  await operations.claim(connectionId);
  const next = await connectedDevice(scene);
  const { db } = hub.database;
  await sql`delete from device_connections where connection_id = ${connectionId}`.execute(db);
  expect(await operations.claim(next)).toHaveLength(1);
  const rawId = ids.deviceOperation.raw(id);
  await sql`update device_operation_steps set carrier = 'Channel' where device_operation_id = ${rawId}`.execute(
    db,
  );
  expect(await due()).not.toContain(rawId);
  await sql`delete from device_connections where connection_id = ${next}`.execute(db);
  expect(await due()).toContain(rawId);
  await operations.tick();
  expect((await operations.get(id)).summary).toMatchObject({ status: 'Failed', outcome: 'Unknown' });
});

test('a connection that gets another id takes back no step that its device has got over a newer one', async () => {
  const id = await operations.started([touch]);
  await operations.claim(connectionId);
  const [again, newer] = [await connectedDevice(scene), await connectedDevice(scene)];
  const { of } = ids.deviceConnection;
  const move = (from: string, to: string) =>
    hub.run(MoveStep, {
      operationId: ids.deviceOperation.raw(id),
      stepIndex: 0,
      from: of(from),
      to: of(to),
    });
  const held = async () =>
    (
      await hub.database.db
        .selectFrom('device_operation_steps')
        .select('connection_id')
        .where('device_operation_id', '=', ids.deviceOperation.raw(id))
        .executeTakeFirstOrThrow()
    ).connection_id;
  await move(connectionId, newer);
  expect(await held()).toBe(newer);
  await move(connectionId, again);
  expect(await held()).toBe(newer);
});

test('a step of a cancelled operation ends with its time, or at once where its device got nothing', async () => {
  const claimed = await operations.started([touch]);
  await operations.claim();
  const cancel = (deviceOperationId: typeof claimed) =>
    hub.as(member, 'devices_CancelOperation', { deviceOperationId });
  await cancel(claimed);
  hub.advance(59);
  await operations.tick();
  expect((await operations.get(claimed)).stepStates).toMatchObject([{ status: 'Running' }]);
  hub.advance(2);
  await operations.tick();
  expect(await operations.get(claimed)).toMatchObject({
    summary: { status: 'Cancelled' },
    stepStates: [{ status: 'TimedOut' }],
  });
  const refused = await operations.started([touch]);
  await sql`update device_operation_steps set carrier = 'Channel' where status = 'Running'`.execute(
    hub.database.db,
  );
  await cancel(refused);
  await hub.run(RecordChannelResult, {
    operationId: ids.deviceOperation.raw(refused),
    stepIndex: 0,
    result: undefined,
  });
  expect((await operations.get(refused)).stepStates).toMatchObject([{ status: 'Skipped' }]);
});

test('of a large output the beginning is kept, and what cannot be stored is replaced', async () => {
  const id = await operations.started([touch]);
  const output = { list: Array.from({ length: 20_000 }, (_, index) => `line ${index}`), half: '\ud800' };
  const result = { status: 'Succeeded' as const, output };
  await hub.run(RecordChannelResult, { operationId: ids.deviceOperation.raw(id), stepIndex: 0, result });
  const [step] = (await operations.get(id)).stepStates;
  expect(step?.output).toMatch(/^\{"list":\["line 0","line 1",/);
  expect(step?.output).toHaveLength(65_536);
});
