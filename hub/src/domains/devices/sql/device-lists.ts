import type { Input } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import {
  listOrder,
  nameKey,
  sortKey,
  type ListOrder,
  type Slice,
  type SortKey,
} from '../../../platform/db/paging/list-order.ts';
import { type DeviceLabel, labelsOf } from './device-labels.ts';
import { isConnected, liveConnectedAt } from './presence.ts';

/** A device in the list of its project. */
export interface ListedDevice {
  readonly device_id: string;
  readonly name: string | null;
  readonly hostname: string | null;
  readonly health: string | null;
  readonly created_at: string;
  readonly live_since: string | null;
  readonly pending_certificates: number;
  readonly last_connected_at: string | null;
  readonly last_seen_at: string | null;
  readonly labels: readonly DeviceLabel[] | null;
  /** The sort keys that are no columns. */
  readonly name_rank: boolean;
  readonly name_key: string;
  readonly connected_key: boolean;
  readonly seen_rank: number;
  readonly seen_key: string;
}

/** The names of the orders. */
export type DeviceOrder = NonNullable<Input<'projects_QueryProjectDevices'>['order']>;

type Name = DeviceOrder extends infer One ? (One extends `-${infer Rest}` ? Rest : never) : never;
type Key = SortKey<ListedDevice>;

/** The key that makes every order unique. */
export const idKey: Key = sortKey('device_id', 'text', sql`d.device_id`);
/** When the device became known. */
export const ageKey: Key = sortKey('created_at', 'timestamptz', sql`d.created_at`);
const pending: Key = sortKey('pending_certificates', 'bigint', sql`d.pending_certificates`);
const name: Key = sortKey('name_key', 'text', nameKey(sql`coalesce(d.name, '')`));
/** Devices without a name come last in either direction. */
const nameRank = (isDescending: boolean): Key =>
  sortKey('name_rank', 'boolean', isDescending ? sql`(d.name is not null)` : sql`(d.name is null)`);

/** Those that are connected now were seen last, and those that never were come last in either direction. */
const seenRank = (isDescending: boolean, now: Date): Key =>
  sortKey(
    'seen_rank',
    'bigint',
    sql`(case when ${isConnected(now)} then 1 when d.last_seen_at is null then ${sql.lit(isDescending ? -1 : 2)} else 0 end)`,
  );
/** Only of those that are not connected. */
const seen = (now: Date): Key =>
  sortKey(
    'seen_key',
    'timestamptz',
    sql`(case when ${isConnected(now)} then d.created_at else coalesce(d.last_seen_at, d.created_at) end)`,
  );

const keysOf: Readonly<Record<Name, (isDescending: boolean, now: Date) => readonly Key[]>> = {
  firstSeen: () => [ageKey, idKey],
  lastSeen: (isDescending, now) => [seenRank(isDescending, now), seen(now), idKey],
  id: () => [idKey],
  name: (isDescending) => [nameRank(isDescending), name, idKey],
  status: (_, now) => [sortKey('connected_key', 'boolean', isConnected(now)), ageKey, idKey],
  pending: () => [pending, ageKey, idKey],
};

/** The orders that have an index. */
const indexed: readonly Name[] = ['firstSeen', 'name', 'pending'];

/** Whether a part of the list can be read in this order without sorting all of it. */
export function isIndexed(order: DeviceOrder = '-firstSeen'): boolean {
  return indexed.some((name) => order === name || order === `-${name}`);
}

/** The order of the list of devices; the newest first unless another is asked for. */
export function deviceOrder(order: DeviceOrder = '-firstSeen', now: Date): ListOrder<ListedDevice> {
  const isDescending = order.startsWith('-');
  const by = (isDescending ? order.slice(1) : order) as Name;
  const list =
    order === '-firstSeen' ? 'projects_QueryProjectDevices' : `projects_QueryProjectDevices ${order}`;
  // A row has a name and a host name of a few hundred characters.
  return listOrder(list, isDescending ? 'desc' : 'asc', keysOf[by](isDescending, now), {
    firstBatchRows: 500,
  });
}

/** Which devices are listed. */
export interface DeviceList {
  /** The raw id of the project. */
  readonly projectId: string;
  /** The condition of the filter, on `d`. */
  readonly passes: RawBuilder<boolean>;
  /** Only the first so many devices of the slice are looked at, instead of all that follow; the order has an index. */
  readonly walked?: number;
  /** Most devices of the list may not pass: what is shown of a device is read only for those that do. */
  readonly isSelective?: boolean;
  readonly list: ListOrder<ListedDevice>;
  readonly now: Date;
}

/** Reads a slice of the devices of a project: selects its devices first, so that presence and certificates are read for these only. */
export async function readDevices(
  tx: Database,
  { projectId, passes, walked, isSelective, list, now }: DeviceList,
  slice: Slice,
): Promise<ListedDevice[]> {
  const shown = sql`d.device_id, d.created_at, d.name, d.hostname, d.health, d.pending_certificates, d.last_connected_at, d.last_seen_at`;
  const derived = list.keys.filter((key) => ![idKey, ageKey, pending].includes(key));
  const computed = joined(derived.map(({ column, by }) => sql`, ${by} as ${sql.ref(column)}`));
  const given = joined(derived.map(({ column }) => sql`, ${sql.ref(column)}`));
  const order = sql`order by ${sql.join(list.keys.map(({ column }) => sql`d.${sql.ref(column)} ${sql.raw(list.direction)}`))}`;
  const follow = sql`devices d where d.project_id = ${projectId} and ${slice.follows}`;
  const passing = sql`${follow} and ${passes} ${slice.orderAndLimit}`;
  let selected = sql`select ${shown} ${computed} from ${passing}`;
  if (walked !== undefined)
    selected = sql`select ${shown} ${computed} from (select d.* from ${follow} ${slice.order} limit ${walked}) as d
      where ${passes} ${slice.orderAndLimit}`;
  else if (isSelective)
    selected = sql`select ${shown} ${given} from (select d.device_id as found_id ${computed} from ${passing}) as found
      join devices d on d.device_id = found.found_id`;
  const { rows } = await sql<ListedDevice>`
    select d.*, ${liveConnectedAt(now)} as live_since, ${labelsOf(sql`d.device_id`)} as labels from (${selected}) as d ${order}`.execute(
    tx,
  );
  return rows;
}

function joined(parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(parts, sql``);
}
