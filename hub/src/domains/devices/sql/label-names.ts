import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { plainValues } from './device-labels.ts';

/** The key by which devices are grouped unless another is asked for. */
export const usualLabel = 'site';

/** Metadata has no index of its keys: those of the newest devices stand for all. */
const sampledDevices = 100;
/** How many bytes of metadata they may have together, as they are stored: a device may have 20,000 keys, most have ten. The newest device is always read. */
const sampledBytes = 262_144;
/** Nobody types longer ones. */
const maxKeyCharacters = 200;
const maxOffered = 100;
/** Of so many groups even a fleet of few devices is told apart. */
const fewGroups = 12;
const maxValues = 20;

/** SQL that selects the metadata of the newest devices of a project, by its raw id. */
function sampledMetadata(projectId: string): RawBuilder<unknown> {
  return sql`
    select metadata from (
      select metadata, sum(bytes) over (order by created_at desc, device_id desc rows unbounded preceding) - bytes as before
      from (
        select metadata, created_at, device_id, pg_column_size(metadata) as bytes from devices
        where project_id = ${projectId} order by created_at desc, device_id desc limit ${sampledDevices}
      ) as newest
    ) as sized where before < ${sampledBytes}`;
}

/** SQL that selects the keys of the metadata of the newest devices of a project, by its raw id, as `key`; one of several devices several times. */
export function sampledLabels(projectId: string): RawBuilder<{ key: string }> {
  return sql<{ key: string }>`
    select key from (${sampledMetadata(projectId)}) as sample cross join lateral jsonb_object_keys(sample.metadata) as key
    where length(key) <= ${maxKeyCharacters}`;
}

/** SQL that selects `name` and `value` of the labels of the newest devices of a project, by its raw id. */
function sampledValues(projectId: string): RawBuilder<unknown> {
  return sql`
    select l.name, l.value from (${sampledMetadata(projectId)}) as sample cross join lateral (${plainValues(sql`sample.metadata`)}) as l`;
}

/** The labels by which the devices of a project can be grouped, at most 100, those that most devices have: not those that tell each device from the others, such as a serial number. */
export async function readLabelNames(tx: Database, projectId: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from (${sampledValues(projectId)}) as labels group by name
    having count(distinct value) < count(*) and (count(distinct value) <= ${fewGroups} or count(distinct value) * 2 <= count(*))
    order by count(*) desc, name collate "C" limit ${maxOffered}`.execute(tx);
  return rows.map(({ name }) => name);
}

/** A label with the values that devices have, the most frequent first. */
interface LabelValues {
  readonly name: string;
  readonly values: string[];
}

/** The labels of the newest devices of a project, by its raw id. */
export async function readLabelValues(tx: Database, projectId: string): Promise<LabelValues[]> {
  const { rows } = await sql<LabelValues>`
    select name, array_agg(value order by number) filter (where number <= ${maxValues}) as values from (
      select name, value, count(*) as devices, row_number() over (partition by name order by count(*) desc, value collate "C") as number
      from (${sampledValues(projectId)}) as labels group by name, value
    ) as counted group by name order by sum(devices) desc, name collate "C" limit ${maxOffered}`.execute(tx);
  return rows;
}
