import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownDatabase } from '../../../../test/fresh-database.ts';
import { freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { seedDevice, seedNode, seedProject } from '../../../../test/seed.ts';
import { cleanUpLostNodes } from './cluster-nodes.ts';

let hub: FreshExecutor;
// Its own database has no statistics that other tests left behind.
beforeEach(async () => void (hub = await freshExecutor({ database: await ownDatabase() })));
afterEach(() => hub[Symbol.asyncDispose]());

const devices = 1_500;

/** Connects all devices to a node by one statement; returns its raw id. */
async function connectAllTo(name: string): Promise<string> {
  const nodeId = ids.clusterNode.raw(await seedNode(hub, name));
  await sql`insert into device_connections (connection_id, device_id, node_id, connected_at)
    select ${name} || device_id, device_id, ${nodeId}, ${hub.now()} from devices`.execute(hub.database.db);
  return nodeId;
}

/** Says that the tables have one row, as after a clean-up of when hardly a device was connected twice. */
async function fakeStatistics(): Promise<void> {
  const { db } = hub.database;
  await sql`insert into additional_connections (connection_id, device_id)
    select 'none ' || n || device_id, device_id from devices, generate_series(1, 2) n`.execute(db);
  await sql`delete from additional_connections where ctid <> (select max(ctid) from additional_connections)`.execute(
    db,
  );
  await sql`vacuum (analyze) additional_connections`.execute(db);
  await sql`delete from additional_connections`.execute(db);
}

test('a clean-up reads each connection of a lost node a few times, also when all its devices came back and the statistics are old', async () => {
  const { deviceId } = await seedDevice(hub, await seedProject(hub));
  const { db } = hub.database;
  await sql`insert into all_devices (device_id, project_id, fingerprint_id, fingerprint_hash, created_at)
    select lpad(i::text, 22, 'x'), project_id, 'fingerprint ' || i, fingerprint_hash, created_at
    from devices, generate_series(2, ${sql.lit(devices)}) i where device_id = ${ids.device.raw(deviceId)}`.execute(
    db,
  );
  await fakeStatistics();
  await connectAllTo('lost');
  hub.advance(10);
  await connectAllTo('alive');
  await db.transaction().execute(async (tx) => {
    // The session plans for as many rows as it ended first.
    expect((await cleanUpLostNodes(tx, hub.now())).deviceIds).toEqual([]);
    hub.advance(10);
    expect((await cleanUpLostNodes(tx, hub.now())).deviceIds).toHaveLength(devices);
    const { rows } = await sql<{ name: string; reads: number }>`
      select relname as name, seq_tup_read + idx_tup_fetch as reads from pg_stat_xact_user_tables
      where seq_tup_read + idx_tup_fetch > ${20 * devices}`.execute(tx);
    expect(rows).toEqual([]);
  });
});
