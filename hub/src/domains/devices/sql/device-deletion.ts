import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { noteDeleted } from './deleted-identities.ts';
import { shownName } from './shown-name.ts';

/**
 * Hides devices of a project, by their raw ids, at once by moving them to a deleted project, and resolves with their names, or else their hostnames, by id, of those that there were. A job deletes
 * their data in batches, because it may be too large for one transaction. Tokens that only they may use go with them. Their fingerprints and certificates are noted, so that no token lets them in again by itself.
 */
export async function deleteDevices(
  tx: Database,
  projectId: string,
  deviceIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, string | null>> {
  const found = await sql<{ id: string }>`
    select device_id as id from devices where device_id = any(${[...deviceIds]}) and project_id = ${projectId}
    order by device_id for update`.execute(tx);
  const ids = found.rows.map(({ id }) => id);
  const [grave] = ids;
  if (grave === undefined) return new Map();
  await subtractFromProject(tx, ids);
  await sql`delete from deployment_tokens where device_id = any(${ids})`.execute(tx);
  const identities = sql`
    select project_id, fingerprint_id as identity from devices where device_id = any(${ids})
    union all select project_id, fingerprint from device_certificates join devices using (device_id) where device_id = any(${ids})`;
  const { rows } = await sql<{ id: string; name: string | null }>`
    with left_behind as (
      insert into all_projects (project_id) values (${grave}) on conflict do nothing
    ), noted as (${noteDeleted(identities, now)})
    update devices d set project_id = ${grave} where d.device_id = any(${ids})
    returning d.device_id as id, ${shownName} as name`.execute(tx);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Subtracts what locked devices have from the counts of their project. That is locked too, so that a concurrent change is either seen or prevented. */
async function subtractFromProject(tx: Database, ids: readonly string[]): Promise<void> {
  const isOne = sql`device_id = any(${[...ids]})`;
  const openConnections = sql`device_connections where ${isOne} and coalesce(ended_at, 'infinity') = 'infinity'`;
  await sql`select 1 from device_certificates where ${isOne} order by certificate_id for update`.execute(tx);
  await sql`select 1 from ${openConnections} order by connection_id for update`.execute(tx);
  await sql`
    with open as (select device_id, node_id from ${openConnections})
    insert into project_count_changes (project_id, node_id, devices, pending_certificates, open_connections)
      select project_id, '', -count(*), -sum(pending_certificates), 0 from devices where ${isOne} group by project_id
      union all select project_id, node_id, 0, 0, -count(*) from devices join open using (device_id) group by project_id, node_id`.execute(
    tx,
  );
}
