import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { noteDeleted } from './deleted-identities.ts';

/**
 * Hides a device, by its raw id, at once by moving it to a deleted project, and resolves with its name, or else its hostname; undefined if there is no device. A job deletes its data in
 * batches, because it may be too large for one transaction. Its fingerprint and its certificates are noted, so that no token lets them in again by itself.
 */
export async function deleteDevice(
  tx: Database,
  deviceId: string,
  now: Date,
): Promise<{ readonly name: string | null } | undefined> {
  const found = await sql`select 1 from devices where device_id = ${deviceId} for update`.execute(tx);
  if (found.rows.length === 0) return undefined;
  await subtractFromProject(tx, deviceId);
  const identities = sql`
    select project_id, fingerprint_id as identity from devices where device_id = ${deviceId}
    union all select project_id, fingerprint from device_certificates join devices using (device_id) where device_id = ${deviceId}`;
  const { rows } = await sql<{ name: string | null }>`
    with left_behind as (
      insert into all_projects (project_id) select device_id from devices where device_id = ${deviceId} on conflict do nothing
    ), noted as (${noteDeleted(identities, now)})
    update devices set project_id = ${deviceId} where device_id = ${deviceId} returning coalesce(name, hostname) as name`.execute(
    tx,
  );
  return rows[0];
}

/** Subtracts what a locked device has from the counts of its project. That is locked too, so that a concurrent change is either seen or prevented. */
async function subtractFromProject(tx: Database, deviceId: string): Promise<void> {
  const openConnections = sql`device_connections where device_id = ${deviceId} and coalesce(ended_at, 'infinity') = 'infinity'`;
  await sql`select 1 from device_certificates where device_id = ${deviceId} for update`.execute(tx);
  await sql`select 1 from ${openConnections} for update`.execute(tx);
  await sql`
    with open as (select node_id, count(*) as connections from ${openConnections} group by node_id)
    insert into project_count_changes (project_id, node_id, devices, pending_certificates, open_connections)
      select project_id, '', -1, -pending_certificates, 0 from devices where device_id = ${deviceId}
      union all select project_id, node_id, 0, 0, -connections from devices, open where device_id = ${deviceId}`.execute(
    tx,
  );
}
