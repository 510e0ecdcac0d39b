import type { Output } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { planEachTime, type Database } from '../../../platform/db/connect.ts';
import { nameKey } from '../../../platform/db/paging/list-order.ts';
import { jsonHas } from './filters/json-sql.ts';
import { isConnected, liveConnectedAt } from './presence.ts';

/** Which fleet is shown, and how. */
export interface ShownFleet {
  /** The raw id of the project. */
  readonly projectId: string;
  /** The key of the metadata by which it is grouped. */
  readonly groupBy: string;
  readonly now: Date;
}

type Overview = Output<'projects_GetOverview'>;

const maxGroups = 40;
/** Longer values are among the others: nobody reads them as names of groups. */
const maxValueCharacters = 200;
const [disconnected, connected, waiting] = ['0', '1', '2'] as const;
const silentAfterMs = 3_600_000;

/** SQL for whether a device is silent: it was connected, and has not been for longer than an hour. The filter `offline>1h`. */
export function isSilent(now: Date): RawBuilder<boolean> {
  const then = new Date(now.getTime() - silentAfterMs);
  return sql<boolean>`((${isConnected(now)}) is not true and d.last_seen_at < ${then})`;
}

/** SQL of all devices of a project in the order of the dots: by `bucket`, the number of the group from 1, and by `place`. */
function placed({ projectId, groupBy, now }: ShownFleet): RawBuilder<unknown> {
  const label = sql`(d.metadata -> ${groupBy}::text)`;
  const text = sql`(d.metadata ->> ${groupBy}::text)`;
  return sql`
    with fleet as materialized (
      select device_id, row_number() over (order by d.name is null, ${nameKey(sql`coalesce(d.name, '')`)}, device_id) as place,
        case when jsonb_typeof(${label}) in ('string', 'number', 'boolean') and length(${text}) <= ${sql.lit(maxValueCharacters)} then ${text} end as value,
        case when jsonb_typeof(${label}) in ('array', 'object') then ${jsonHas(sql`d.metadata`, [groupBy])}
          when jsonb_typeof(${label}) = 'string' then length(${text}) > ${sql.lit(maxValueCharacters)} else false end as is_other,
        case when ${isConnected(now)} then ${connected} when d.pending_certificates > 0 then ${waiting} else ${disconnected} end as state,
        ${isSilent(now)} as is_silent
      from devices d where d.project_id = ${projectId}
    ), groups as materialized (
      select value, row_number() over (order by count(*) desc, value collate "C") as bucket from fleet where value is not null
      group by value order by 2 limit ${sql.lit(maxGroups)}
    ), placed as (
      select f.*, coalesce(g.bucket, case when f.value is null and not f.is_other then ${sql.lit(maxGroups + 2)} else ${sql.lit(maxGroups + 1)} end)::integer as bucket
      from fleet f left join groups g using (value)
    )`;
}

/** Reads the states of all devices of a project in groups, and their counts. */
export async function readFleet(
  tx: Database,
  shown: ShownFleet,
): Promise<Pick<Overview, 'counts' | 'silent' | 'groups' | 'dots'>> {
  interface Row {
    readonly bucket: number;
    readonly value: string | null;
    readonly devices: number;
    readonly connected: number;
    readonly waiting: number;
    readonly silent: number;
    /** The state of each device as a digit, in order. */
    readonly states: string;
  }
  const { rows } = await sql<Row>`
    ${sql.raw(planEachTime)} ${placed(shown)}
    select bucket, min(value) as value, count(*) as devices, count(*) filter (where state = ${connected}) as connected,
      count(*) filter (where state = ${waiting}) as waiting, count(*) filter (where is_silent) as silent, string_agg(state, '' order by place) as states
    from placed group by bucket order by bucket`.execute(tx);
  const groups = rows.map(({ bucket, value, ...of }) => ({
    ...(bucket <= maxGroups && value !== null ? { value } : {}),
    ...(bucket === maxGroups + 1 ? { isOthers: true } : {}),
    ...countsOf([of]),
  }));
  return {
    groups,
    counts: countsOf(rows),
    silent: sum(rows.map(({ silent }) => silent)),
    dots: packDots(rows.map(({ states }) => states).join('')),
  };
}

function countsOf(
  rows: readonly Pick<Overview['counts'], 'devices' | 'connected' | 'waiting'>[],
): Overview['counts'] {
  const devices = sum(rows.map((row) => row.devices));
  const [isOn, isWaiting] = [sum(rows.map((row) => row.connected)), sum(rows.map((row) => row.waiting))];
  return { devices, connected: isOn, disconnected: devices - isOn - isWaiting, waiting: isWaiting };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

const dotsInByte = 4;
const bitsOfDot = 2;
const zero = 48;

/** Packs digits of states into base64 of two bits each; the first ones are in the lowest bits. */
function packDots(states: string): string {
  const digits = Buffer.from(states, 'latin1');
  const packed = Buffer.alloc(Math.ceil(digits.length / dotsInByte));
  for (let index = 0; index < digits.length; index += 1) {
    const byte = Math.floor(index / dotsInByte);
    packed[byte] =
      (packed[byte] ?? 0) | (((digits[index] ?? zero) - zero) << ((index % dotsInByte) * bitsOfDot));
  }
  return packed.toString('base64');
}

interface Dot {
  readonly deviceId: string;
  readonly name: string | null;
  readonly hostname: string | null;
  readonly state: Output<'projects_FindOverviewDevice'>['state'];
  /** Since when it is connected, or when it was last. */
  readonly since: string | null;
}

/** Finds the device of a dot by its place among all, from 0. */
export async function findDot(tx: Database, shown: ShownFleet, index: number): Promise<Dot | undefined> {
  const { rows } = await sql<Dot>`
    ${sql.raw(planEachTime)} ${placed(shown)}
    select d.device_id as "deviceId", d.name, d.hostname, case f.state when ${connected} then 'Connected' when ${waiting} then 'Waiting' else 'Disconnected' end as state,
      coalesce(${liveConnectedAt(shown.now)}, d.last_seen_at) as since
    from (select device_id, state from placed order by bucket, place offset ${index} limit 1) as f join devices d using (device_id)`.execute(
    tx,
  );
  return rows[0];
}
