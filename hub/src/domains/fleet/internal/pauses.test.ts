import type { Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { fleetScene, type FleetScene } from '../../../../test/fleet-scene.ts';
import { ownDatabase } from '../../../../test/fresh-database.ts';
import { absentId, freshExecutor } from '../../../../test/fresh-executor.ts';
import { FleetDriver } from '../jobs/drive-operations.ts';

let scene: FleetScene;
beforeEach(async () => {
  scene = await fleetScene({ database: await ownDatabase() });
});
afterEach(() => scene[Symbol.asyncDispose]());

const owner = () => scene.project.owner;
const offers = [{ name: 'reboot' }];
const steps = [{ kind: 'DeviceCommand' as const, command: 'reboot', input: null }];
const stages = [{ name: 'All' }];
const start = (fleetOperationId: Id<'fleetOperation'>) =>
  scene.hub.as(owner(), 'fleet_StartOperation', { fleetOperationId });
const deviceActor = (deviceId: Id<'device'>) =>
  ({ actor: 'Device', kind: 'Device', deviceId, tokenId: absentId('deploymentTokenId') }) as const;

/** Has each pause note, under its lock and when it commits, what is handed out and begun until then. */
async function noteAtPauses(): Promise<void> {
  const { db } = scene.hub.database;
  await sql`create table at_pause (pause bigserial, running bigint, claims bigint)`.execute(db);
  await sql`create function note_at_pause() returns trigger language plpgsql as $$ begin
    insert into at_pause (running, claims) select count(*) filter (where o.status <> 'Pending'), coalesce(sum(s.claims), 0)
      from device_operations o left join device_operation_steps s using (device_operation_id) where o.fleet_operation_id = new.fleet_operation_id;
    return null; end $$`.execute(db);
  await sql`create constraint trigger at_pause after update on fleet_operations deferrable initially deferred
    for each row when (new.status = 'Paused') execute function note_at_pause()`.execute(db);
}

test('nothing is handed out or begun after the commit of a pause, at whatever moment it comes', async () => {
  const devices: Id<'device'>[] = [];
  for (let count = 0; count < 24; count += 1)
    devices.push(await scene.addDevice({ isConnected: true, commands: offers }));
  const id = await scene.create({ stages, steps, maxInFlight: 12 });
  await start(id);
  await noteAtPauses();
  const database = { ...scene.hub.database, [Symbol.asyncDispose]: () => Promise.resolve() };
  await using otherNode = await freshExecutor({ database });
  const drivers = [scene.hub, otherNode].map(({ executor }) => new FleetDriver(executor, console));
  let handedOut = 0;
  for (let round = 0; round < inject('figures').pauses; round += 1) {
    // Some have a step to take by now, and others are about to get one.
    await drivers[round % 2]?.tick();
    const work = [
      ...drivers.map((driver) => driver.tick()),
      ...devices.map(async (deviceId, index) => {
        const node = index % 2 === 0 ? scene.hub : otherNode;
        const claimed = await node.as(deviceActor(deviceId), 'devices_ClaimOperationWork', { deviceId });
        handedOut += claimed.work.length;
      }),
    ];
    for (let waits = Math.random() * 60; waits > 0; waits -= 1) await new Promise(setImmediate);
    await scene.hub.as(owner(), 'fleet_PauseOperation', { fleetOperationId: id });
    await Promise.all(work);
    const { rows } = await sql`
      select (select row(a.running, a.claims) from at_pause a order by pause desc limit 1)::text = row(count(*) filter (where o.status <> 'Pending'),
        coalesce(sum(s.claims), 0)::bigint)::text as "isSame"
      from device_operations o left join device_operation_steps s using (device_operation_id)`.execute(
      scene.hub.database.db,
    );
    expect(rows).toMatchObject([{ isSame: true }]);
    await sql`delete from device_operation_steps`.execute(scene.hub.database.db);
    await sql`update device_operations set status = 'Pending', started_at = null`.execute(
      scene.hub.database.db,
    );
    await start(id);
  }
  expect(handedOut).toBeGreaterThan(0);
});
