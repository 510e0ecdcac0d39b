import { maxDots, type Output } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { planEachTime, type Database } from '../../../../platform/db/connect.ts';
import { jsonHas } from '../filters/json-sql.ts';
import { dotStates, firstCode, packDots, stateCount } from './dots.ts';
import { isConnected, liveConnectedAt } from '../presence.ts';

/** Which fleet is shown, and how. */
export interface ShownFleet {
  /** The raw id of the project. */
  readonly projectId: string;
  /** The key of the metadata by which it is grouped; all devices are one group if it is empty. */
  readonly groupBy: string;
  readonly now: Date;
}

type Fleet = Pick<Output<'projects_GetOverview'>, 'counts' | 'silent' | 'groups' | 'dots'>;

const maxGroups = 40;
const othersNumber = maxGroups + 1;
const noneNumber = maxGroups + 2;
/** Longer values are among the others: nobody reads them as names of groups. */
const maxValueCharacters = 200;
const silentAfterMs = 3_600_000;

const isLongAgo = (now: Date) => sql<boolean>`d.last_seen_at < ${new Date(now.getTime() - silentAfterMs)}`;

/**
 * SQL for the value by which a device is grouped: `v` and a text, number or truth value, `o` for other values, or `n` for none. Other values count as none
 * where filters find none in them.
 */
function keyOf(groupBy: string): RawBuilder<string> {
  if (groupBy === '') return sql<string>`'n'::text`;
  const isDocument = sql`left(d.label, 1) in ('[', '{') and jsonb_typeof(d.metadata -> ${groupBy}::text) <> 'string'`;
  return sql<string>`(case when d.label is null then 'n'
    when ${isDocument} then case when ${jsonHas(sql`d.metadata`, [groupBy])} then 'o' else 'n' end
    when length(d.label) > ${sql.lit(maxValueCharacters)} then 'o' else 'v' || d.label end)`;
}

/**
 * SQL of `fleet`: the devices of a project by age with the value of their group and their state as a number of `dotStates`; of `counted`: how many there are of each; and of `coded`:
 * the devices with a number that tells both, the group by its place: the most frequent values from 1 on, then others, then none.
 * The label is taken out once for each device: `offset 0` keeps the planner from copying it.
 */
function codedFleet({ projectId, groupBy, now }: ShownFleet, id = sql``): RawBuilder<unknown> {
  const { connected, waiting, silent, silentWaiting, disconnected } = dotStates;
  const isPending = sql`d.pending_certificates > 0`;
  const code = sql`${sql.lit(stateCount)} * coalesce(((select of_keys from numbers) -> key)::integer,
    case key when 'n' then ${sql.lit(noneNumber)} else ${sql.lit(othersNumber)} end) + state`;
  return sql`
    with fleet as not materialized (
      select ${id} ${keyOf(groupBy)} as key,
        case when d.is_connected then ${sql.lit(connected)} when ${isLongAgo(now)} then case when ${isPending} then ${sql.lit(silentWaiting)} else ${sql.lit(silent)} end
          when ${isPending} then ${sql.lit(waiting)} else ${sql.lit(disconnected)} end as state
      from (
        select ${id} d.metadata, d.metadata ->> ${groupBy}::text as label, d.pending_certificates, d.last_seen_at, ${isConnected(now)} as is_connected
        from devices d where d.project_id = ${projectId} order by d.created_at, d.device_id offset 0
      ) as d
    ), counted as materialized (
      select key, state, count(*) as devices from fleet group by key, state
    ), frequent as (
      select key, row_number() over (order by sum(devices) desc, key collate "C") as number from counted where left(key, 1) = 'v'
      group by key order by 2 limit ${sql.lit(maxGroups)}
    ), numbers as materialized (
      select coalesce(jsonb_object_agg(key, number), '{}') as of_keys from frequent
    ), counts as (
      select ${code} as code, sum(devices) as devices from counted group by 1
    ), coded as (
      select fleet.*, ${code} as code from fleet
    )`;
}

/** Reads how many devices of a project are in each group and state, and of a fleet of which each device is shown, their states. */
export async function readFleet(tx: Database, shown: ShownFleet): Promise<Fleet> {
  interface Row {
    readonly numbers: Readonly<Record<string, number>>;
    readonly devices: Readonly<Record<string, number>> | null;
    readonly states: string | null;
  }
  const { rows } = await sql<Row>`
    ${sql.raw(planEachTime)} ${codedFleet(shown)}
    select (select of_keys from numbers) as numbers, (select jsonb_object_agg(code, devices) from counts) as devices,
      case when (select sum(devices) from counted) <= ${sql.lit(maxDots)} then (select string_agg(chr(${sql.lit(firstCode)} + code), '') from coded) end as states`.execute(
    tx,
  );
  const { numbers = {}, devices = null, states = null } = rows[0] ?? {};
  const shownOf = new Map<number, { value?: string; isOthers?: boolean }>(
    Object.entries(numbers).map(([key, number]) => [number, { value: key.slice(1) }]),
  );
  shownOf.set(othersNumber, { isOthers: true });
  return packDots(devices ?? {}, states ?? '', (number) => shownOf.get(number) ?? {});
}

interface Dot {
  readonly deviceId: string;
  readonly name: string | null;
  readonly hostname: string | null;
  readonly state: Output<'projects_FindOverviewDevice'>['state'];
  /** Since when it is connected, or when it was last. */
  readonly since: string | null;
}

const numberOf = sql`(code / ${sql.lit(stateCount)})`;

/** Finds the device of a dot by its place among all, from 0. */
export async function findDot(tx: Database, shown: ShownFleet, index: number): Promise<Dot | undefined> {
  const { rows } = await sql<Dot>`
    ${sql.raw(planEachTime)} ${codedFleet(shown, sql`d.device_id,`)}, groups as (
      select ${numberOf} as number, ${index} - sum(sum(devices)) over (order by ${numberOf}) + sum(devices) as place, sum(devices) as devices from counts group by 1
    ), found as (
      select device_id, state from coded where ${numberOf} = (select number from groups where place >= 0 and place < devices)
      offset (select place from groups where place >= 0 and place < devices) limit 1
    )
    select d.device_id as "deviceId", d.name, d.hostname, coalesce(${liveConnectedAt(shown.now)}, d.last_seen_at) as since,
      case when f.state = ${sql.lit(dotStates.connected)} then 'Connected' when d.pending_certificates > 0 then 'Waiting' else 'Disconnected' end as state
    from found f join devices d using (device_id)`.execute(tx);
  return rows[0];
}
