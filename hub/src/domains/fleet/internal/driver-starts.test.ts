import { ids, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fleetScene, type FleetScene } from '../../../../test/fleet-scene.ts';
import { waitingLocks } from '../../../../test/seed.ts';
import { FleetDriver } from '../jobs/drive-operations.ts';

let scene: FleetScene;
let driver: FleetDriver;
beforeEach(async () => {
  scene = await fleetScene();
  driver = new FleetDriver(scene.hub.executor, console, () => scene.hub.now().getTime());
});
afterEach(() => scene[Symbol.asyncDispose]());

const owner = () => scene.project.owner;
const command = { kind: 'DeviceCommand', command: 'restart', input: null, timeoutSecs: 90 } as const;
const drive = async () => {
  while (await driver.tick());
};

/** Starts an operation of a command on all devices, which serve channels. */
async function startCommand(maxInFlight: number): Promise<Id<'fleetOperation'>> {
  await sql`insert into device_abilities (device_id, manifest_hash, has_commands)
    select device_id, md5('')::uuid, true from devices on conflict do nothing`.execute(scene.hub.database.db);
  const fleetOperationId = await scene.create({ stages: [{ name: 'All' }], steps: [command], maxInFlight });
  await scene.hub.as(owner(), 'fleet_StartOperation', { fleetOperationId });
  return fleetOperationId;
}

test('devices begin a command together, as many as there are slots, with their step and an event each', async () => {
  await scene.addDevices(20);
  const id = await startCommand(12);
  await drive();
  await drive();
  const { rows } = await sql<{ devices: number; steps: number; events: number; timeout: number }>`
    select count(*)::int as devices, count(s.step_index)::int as steps, min(s.timeout_secs)::int as timeout,
      (select count(*)::int from operation_events e where e.kind = 'Started' and e.device_id is not null) as events
    from device_operations o left join device_operation_steps s using (device_operation_id)
    where o.fleet_operation_id = ${ids.fleetOperation.raw(id)} and o.status = 'Running' and (s.status is null or s.status = 'Running')`.execute(
    scene.hub.database.db,
  );
  expect(rows).toEqual([{ devices: 12, steps: 12, events: 12, timeout: 90 }]);
});

test('a device on which another transaction is starting an operation is left for later', async () => {
  const devices = await scene.addDevices(3);
  const id = await startCommand(10);
  const busy = ids.device.raw(devices[1] as Id<'device'>);
  const over = Promise.withResolvers<void>();
  const isHeld = Promise.withResolvers<void>();
  const starting = scene.hub.database.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(7201150, hashtext(${busy}))`.execute(tx);
    isHeld.resolve();
    await over.promise;
  });
  await isHeld.promise;
  await drive();
  const running = async () => {
    const answer = await scene.hub.as(owner(), 'fleet_GetOperation', { fleetOperationId: id });
    return answer.result === 'Found' ? answer.summary.progress.running : undefined;
  };
  expect(await running()).toBe(2);
  over.resolve();
  await starting;
  scene.hub.advance(60);
  await drive();
  expect(await running()).toBe(3);
});

test('while a person opens the next stage, devices take steps until its gates are measured', async () => {
  await scene.addDevices(4);
  const predicate = { kind: 'Exists', expr: { kind: 'NamedValue', name: 'health' }, path: [] } as const;
  const gates = [{ kind: 'DeviceProperty' as const, predicate, minMatchPercent: 1 }];
  const stages = [{ name: 'Half', percentage: 50, guard: { gates } }, { name: 'All' }];
  const fleetOperationId = await scene.create({ stages });
  await scene.hub.as(owner(), 'fleet_StartOperation', { fleetOperationId });
  await drive();
  const { db } = scene.hub.database;
  const over = Promise.withResolvers<void>();
  const isHeld = Promise.withResolvers<void>();
  const holding = db.transaction().execute(async (tx) => {
    await sql`lock table device_properties in access exclusive mode`.execute(tx);
    isHeld.resolve();
    await over.promise;
  });
  await isHeld.promise;
  const advance = scene.hub.as(owner(), 'fleet_AdvanceOperationStage', { fleetOperationId });
  await vi.waitFor(async () => expect(await waitingLocks(db)).toBeGreaterThan(0), { timeout: 10_000 });
  const taking =
    sql`select 1 from fleet_operations where fleet_operation_id = ${ids.fleetOperation.raw(fleetOperationId)}
    for key share nowait`.execute(db);
  await expect(taking).resolves.toMatchObject({ rows: [{}] });
  over.resolve();
  await holding;
  expect(await advance).toMatchObject({ result: 'GuardBlocked', gates: [{ actualPercent: 0 }] });
});
