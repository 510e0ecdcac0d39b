import { sql } from 'kysely';
import type { Internal } from '../../../calls/handler.ts';
import type { Database } from '../../../platform/db/connect.ts';

/** Adds the properties and metadata of some devices to the property index. */
export const BuildPropertyIndex: Internal<void, IndexStep> = {
  name: 'devices_BuildPropertyIndex',
  run: ({ tx, now }) => continuePropertyIndex(tx, now),
};

/** Devices whose values one step indexes, which takes about a tenth of a second. */
const devicesAtOnce = 1_000;
/** Values of dropped paths that one step deletes. */
const valuesAtOnce = 10_000;
const unusedAfterMs = 30 * 86_400_000;

/** What a step has left to do: `Waiting` until transactions that do not know the key yet have ended. */
type IndexStep = 'Complete' | 'More' | 'Waiting';

interface OpenKey {
  readonly keyId: number;
  readonly projectId: string;
  readonly property: string;
  readonly path: string;
  readonly state: 'New' | 'Building' | 'Dropped';
  readonly isWaiting: boolean;
}

/** Does one step for one path of the index: reads what devices had before the path was added, or deletes the values of one that was not used for 30 days. Concurrent steps take other paths. */
async function continuePropertyIndex(tx: Database, now: Date): Promise<IndexStep> {
  await sql`
    update fact_keys set state = 'Dropped' where state <> 'Dropped' and used_at < ${new Date(now.getTime() - unusedAfterMs)}`.execute(
    tx,
  );
  const { rows } = await sql<OpenKey>`
    select key_id as "keyId", project_id as "projectId", property, path, state,
      coalesce(pg_snapshot_xmin(pg_current_snapshot()) < built_after, false) as "isWaiting"
    from fact_keys where state in ('New', 'Building', 'Dropped') order by key_id limit 1 for update skip locked`.execute(
    tx,
  );
  const [key] = rows;
  if (key === undefined) return 'Complete';
  if (key.state === 'Dropped') await dropSome(tx, key);
  else if (key.state === 'New') await begin(tx, key);
  else if (key.isWaiting) return 'Waiting';
  else await buildSome(tx, key);
  return 'More';
}

/** A transaction that wrote before the key was visible may still be open; when all of now have ended, every later write knows the key. */
async function begin(tx: Database, { keyId }: OpenKey): Promise<void> {
  await sql`
    update fact_keys set state = 'Building', built_after = pg_snapshot_xmax(pg_current_snapshot()) where key_id = ${keyId}`.execute(
    tx,
  );
}

/** Locks the documents that it reads, so that whoever changes one afterwards corrects what is written here. */
async function buildSome(tx: Database, { keyId, projectId, property, path }: OpenKey): Promise<void> {
  const documents =
    property === ''
      ? sql`select d.device_id, d.metadata as document from all_devices d join next using (device_id) order by d.device_id for share of d`
      : sql`select p.device_id, p.value as document from device_properties p join next using (device_id)
          where p.name = ${property} order by p.device_id for share of p`;
  const { rows } = await sql<{ createdAt: string | null; deviceId: string | null; written: number }>`
    with next as materialized (
      select d.created_at, d.device_id from all_devices d cross join (select built_at, built_to from fact_keys where key_id = ${keyId}) as k
      where d.project_id = ${projectId} and (d.created_at, d.device_id) > (k.built_at, k.built_to)
      order by d.created_at, d.device_id limit ${devicesAtOnce}
    ), documents as materialized (${documents}
    ), last as (
      select created_at, device_id from next order by created_at desc, device_id desc limit 1
    )
    select (select created_at from last) as "createdAt", (select device_id from last) as "deviceId",
      (select count(write_facts(${keyId}, device_id, document, ${path})) from documents) as written`.execute(
    tx,
  );
  const { createdAt = null, deviceId = null } = rows[0] ?? {};
  // A document that does not fit has set another state.
  const next =
    deviceId === null ? sql`state = 'Ready'` : sql`built_at = ${createdAt}, built_to = ${deviceId}`;
  await sql`update fact_keys set ${next} where key_id = ${keyId} and state = 'Building'`.execute(tx);
}

async function dropSome(tx: Database, { keyId }: OpenKey): Promise<void> {
  const { numAffectedRows } = await sql`
    delete from device_facts where ctid = any(array(
      select ctid from device_facts where key_id = ${keyId} limit ${valuesAtOnce}))`.execute(tx);
  if (numAffectedRows === 0n) await sql`delete from fact_keys where key_id = ${keyId}`.execute(tx);
}
