import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';

/** Where a filter looks for values: a property, or the metadata under an empty name, and the path in it as a JSON path. */
export interface FactPlace {
  readonly property: string;
  readonly path: string;
}

/** The keys of places whose values are in `device_facts`. */
export interface FactKeys {
  /** Undefined where the documents have to be read. */
  keyOf(place: FactPlace): number | undefined;
}

/** Projects with fewer devices are filtered by reading their documents, which takes some ten milliseconds. */
const minDevices = 2_000;
/** What one project may have. */
const maxKeys = 40;
const maxPathLength = 200;
const usedEveryMs = 86_400_000;

const nameOf = ({ property, path }: FactPlace): string => JSON.stringify([property, path]);

/**
 * Finds the keys of places in a project by its raw id, and asks for those that it does not have. It asks through `db`, because the transaction of a search that takes too long is
 * rolled back, and such a search needs them most.
 */
export async function findFactKeys(
  { tx, db }: { readonly tx: Database; readonly db: Database },
  projectId: string,
  places: readonly FactPlace[],
  now: Date,
): Promise<FactKeys> {
  const fitting = places.filter(({ path }) => path.length <= maxPathLength);
  const { rows } = await sql<FactPlace & { keyId: number; state: string; isUseStale: boolean }>`
    select key_id as "keyId", property, path, state, used_at < ${new Date(now.getTime() - usedEveryMs)} as "isUseStale"
    from fact_keys where project_id = ${projectId}
      and (property, path) in (select q.property, q.path from json_to_recordset(${JSON.stringify(fitting)}::json) as q(property text, path text))`.execute(
    tx,
  );
  const known = new Map(rows.map((row) => [nameOf(row), row]));
  const missing = fitting.filter((place) => !known.has(nameOf(place)));
  const stale = rows.filter(({ isUseStale }) => isUseStale).map(({ keyId }) => keyId);
  if (missing.length > 0) await addFactKeys(db, projectId, missing, now);
  if (stale.length > 0)
    await sql`update fact_keys set used_at = ${now} where key_id = any(${stale})`.execute(db);
  return {
    keyOf(place) {
      const row = known.get(nameOf(place));
      return row?.state === 'Ready' ? row.keyId : undefined;
    },
  };
}

/** Adds keys to a large project, as many as it may have. */
async function addFactKeys(
  db: Database,
  projectId: string,
  places: readonly FactPlace[],
  now: Date,
): Promise<void> {
  await sql`
    insert into fact_keys (project_id, property, path, used_at)
    select ${projectId}, q.property, q.path, ${now}
    from (select distinct property, path from json_to_recordset(${JSON.stringify(places)}::json) as a(property text, path text)) as q
    where (select count(*) from (select 1 from devices where project_id = ${projectId} limit ${minDevices}) as counted) = ${minDevices}
    order by q.property, q.path
    limit greatest(0, ${maxKeys} - (select count(*) from fact_keys where project_id = ${projectId}))
    on conflict (project_id, property, path) do nothing`.execute(db);
}
