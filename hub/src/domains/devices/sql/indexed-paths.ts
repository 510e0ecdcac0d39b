import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { amounts } from '../../../limits/amounts.ts';

/** Where a filter looks for values: in a property, or in the metadata under an empty name, at a JSON path. */
export interface PropertyPath {
  readonly property: string;
  readonly path: string;
}

/** The keys of the paths in the property index, whose values are in `device_facts`. */
export interface IndexedPaths {
  /** Undefined where the documents have to be read. */
  keyOf(path: PropertyPath): number | undefined;
}

/** Projects with fewer devices are filtered by reading their documents, which takes some ten milliseconds. */
export const minDevices = 2_000;
const maxPathLength = 200;
const usedEveryMs = 86_400_000;

const nameOf = ({ property, path }: PropertyPath): string => JSON.stringify([property, path]);

/**
 * Finds the keys of paths in the index of a project by its raw id, and adds the paths that it does not have. They are added through `db`, because the transaction of a search that takes too
 * long is rolled back, and such a search needs them most.
 */
export async function findIndexedPaths(
  { tx, db }: { readonly tx: Database; readonly db: Database },
  projectId: string,
  paths: readonly PropertyPath[],
  now: Date,
): Promise<IndexedPaths> {
  const fitting = paths.filter(({ path }) => path.length <= maxPathLength);
  const { rows } = await sql<PropertyPath & { keyId: number; state: string; isUseStale: boolean }>`
    select key_id as "keyId", property, path, state, used_at < ${new Date(now.getTime() - usedEveryMs)} as "isUseStale"
    from fact_keys where project_id = ${projectId}
      and (property, path) in (select q.property, q.path from json_to_recordset(${JSON.stringify(fitting)}::json) as q(property text, path text))`.execute(
    tx,
  );
  const known = new Map(rows.map((row) => [nameOf(row), row]));
  const missing = fitting.filter((one) => !known.has(nameOf(one)));
  const stale = rows.filter(({ isUseStale }) => isUseStale).map(({ keyId }) => keyId);
  if (missing.length > 0) await addIndexedPaths(db, projectId, missing, now);
  if (stale.length > 0)
    await sql`update fact_keys set used_at = ${now} where key_id = any(${stale})`.execute(db);
  return {
    keyOf(path) {
      const row = known.get(nameOf(path));
      return row?.state === 'Ready' ? row.keyId : undefined;
    },
  };
}

/** Adds paths to the index of a large project, as many as it may have. */
async function addIndexedPaths(
  db: Database,
  projectId: string,
  paths: readonly PropertyPath[],
  now: Date,
): Promise<void> {
  await sql`
    insert into fact_keys (project_id, property, path, used_at)
    select ${projectId}, q.property, q.path, ${now}
    from (select distinct property, path from json_to_recordset(${JSON.stringify(paths)}::json) as a(property text, path text)) as q
    where (select count(*) from (select 1 from devices where project_id = ${projectId} limit ${minDevices}) as counted) = ${minDevices}
    order by q.property, q.path
    limit greatest(0, ${amounts.indexedPaths.max} - (select count(*) from fact_keys where project_id = ${projectId}))
    on conflict (project_id, property, path) do nothing`.execute(db);
}
