import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

/** The key by which devices are grouped unless another is asked for. */
export const usualLabel = 'site';

/** Metadata has no index of its keys: those of the newest devices stand for all. */
const sampledDevices = 100;
/** How many bytes of metadata they may have together, as they are stored: a device may have 20,000 keys, most have ten. The newest device is always read. */
const sampledBytes = 262_144;
/** Nobody types longer ones. */
const maxKeyCharacters = 200;
const maxOffered = 100;

/** SQL that selects the keys of the metadata of the newest devices of a project, by its raw id, as `key`; one of several devices several times. */
export function sampledLabels(projectId: string): RawBuilder<{ key: string }> {
  return sql<{ key: string }>`
    select key from (
      select metadata, sum(bytes) over (order by created_at desc, device_id desc rows unbounded preceding) - bytes as before
      from (
        select metadata, created_at, device_id, pg_column_size(metadata) as bytes from devices
        where project_id = ${projectId} order by created_at desc, device_id desc limit ${sampledDevices}
      ) as newest
    ) as sample cross join lateral jsonb_object_keys(sample.metadata) as key
    where before < ${sampledBytes} and length(key) <= ${maxKeyCharacters}`;
}

/** The keys by which the devices of a project could be grouped, at most 100, those that most devices have. */
export async function readLabelNames(tx: Database, projectId: string): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from (${sampledLabels(projectId)}) as labels group by key order by count(*) desc, key collate "C" limit ${maxOffered}`.execute(
    tx,
  );
  return rows.map(({ key }) => key);
}
