import { ids, type Id } from '@corral/contract';
import type pg from 'pg';
import { rawIdOf } from '../large-fleet/seed.ts';

const node = rawIdOf('alerted node', "''");

/** Adds a node that never loses its lease, and on which nobody answers. */
export async function seedNode(client: pg.Client): Promise<void> {
  await client.query(`insert into cluster_nodes (node_id, joined_at, lease_until, last_heartbeat_at)
    values (${node}, now(), now() + interval '1 day', now())`);
}

/** Ends that node: as long as it lives no other hub starts. */
export async function endNode(client: pg.Client): Promise<void> {
  await client.query(`update cluster_nodes set lease_until = now() where node_id = ${node}`);
}

/** Writes connected devices of a project directly: through the API it would take hours. They are called by their numbers. */
export async function seedDevices(client: pg.Client, projectId: Id<'project'>, count: number): Promise<void> {
  const of = (what: string) => rawIdOf(`${what} ${projectId}`, 'n');
  const numbers = `generate_series(1, ${count}) as n`;
  // Written one by one, entries of this index take several minutes.
  await client.query('alter index device_texts_by_trigram set (fastupdate = on)');
  await client.query(`insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, name, created_at)
    select ${of('alerted device')}, '${ids.project.raw(projectId)}', ${of('alerted key')}, '', 'device-' || n, now() from ${numbers}`);
  await client.query('alter index device_texts_by_trigram set (fastupdate = off)');
  await connectAll(client, projectId);
  await client.query('vacuum analyze');
}

/** Connects all devices of a project in one statement. */
export async function connectAll(client: pg.Client, projectId: Id<'project'>): Promise<void> {
  await client.query(
    `insert into device_connections (connection_id, device_id, node_id, connected_at)
      select left(translate(encode(uuid_send(gen_random_uuid()), 'base64'), '+/0IOl', 'xyzXYZ'), 22), device_id, ${node}, now() from devices where project_id = $1`,
    [ids.project.raw(projectId)],
  );
}

/** Ends the connections of all devices of a project, or of the one with a name, in one statement. */
export async function leaveAll(client: pg.Client, projectId: Id<'project'>, name?: string): Promise<void> {
  await client.query(
    `update device_connections set ended_at = now(), end_reason = 'Disconnected', end_cause = 'Lost'
      where ended_at is null and device_id = any(array(select device_id from devices where project_id = $1 and ($2::text is null or name = $2)))`,
    [ids.project.raw(projectId), name ?? null],
  );
}
