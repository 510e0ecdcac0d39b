import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../db/connect.ts';
import { planEachTime } from '../db/PreparingClient.ts';
import {
  isIndexed,
  readDevices,
  type DeviceList,
  type DeviceOrder,
  type ListedDevice,
} from './device-lists.ts';
import { presenceReader } from './device-presence-order.ts';
import type { Candidates, DeviceFilter } from './filters/device-filter.ts';
import type { Slice } from './paging/list-order.ts';

/** Up to this number, matching devices are read and sorted instead of being searched along the list; each takes some ten microseconds. */
const fewDevices = 2_000;
/** Larger sets are read only when walking a part of the list did not suffice; one of this size takes some ten milliseconds. */
const someDevices = 20_000;
/** How many devices of the list are tested for each one that is wanted. */
const walkedForEach = 10;

/** Which devices are listed, and how. */
export interface FilteredDevices extends Pick<DeviceList, 'projectId' | 'list' | 'now'> {
  /** Undefined for all devices. */
  readonly filter: DeviceFilter | undefined;
  /** The name of the order of the list. */
  readonly order: DeviceOrder | undefined;
}

/**
 * Reads slices of the devices of a project that pass a filter. The planner can't know the fastest way, so it is found in bounded steps. When a test of the filter
 * matches few devices, only these are read. When it matches some more, their set is read, and the list is walked until enough of them were found. Otherwise the filter
 * is tested for the next devices of the list. Only when too few of them pass, the selections that no index finds are counted too; if they are large as well, the list is read to its end.
 */
export async function filteredDevices(
  tx: Database,
  { filter, order, ...of }: FilteredDevices,
): Promise<(slice: Slice) => Promise<ListedDevice[]>> {
  const read = (slice: Slice, passes: RawBuilder<boolean>, walked?: number) =>
    readDevices(tx, { ...of, passes, ...(walked === undefined ? {} : { walked }) }, slice);
  if (filter === undefined) {
    const all = { ...of, passes: sql<boolean>`true` };
    return (order && presenceReader(tx, order, all)) ?? ((slice) => readDevices(tx, all, slice));
  }
  const { inSets, ofEach, candidates } = filter;
  const ofIndexes = candidates.filter(({ byIndex }) => byIndex);
  const fewest = await fewestOf(tx, ofIndexes, someDevices);
  const readOf = async (selected: Counted, slice: Slice) =>
    selected.count === 0 ? [] : read(slice, isOneOf(selected));
  if (fewest !== undefined) return (slice) => readOf(fewest, slice);
  const others = candidates.filter(({ byIndex }) => !byIndex);
  if (ofEach === undefined && others.length === 0) return (slice) => read(slice, inSets);
  let isWalking = isIndexed(order);
  let few: Promise<Counted | undefined> | undefined;
  return async (slice) => {
    const walked = slice.limit * walkedForEach;
    const rows = isWalking ? await read(slice, ofEach ?? inSets, walked) : undefined;
    if (
      rows !== undefined &&
      (rows.length >= slice.limit || !(await isLonger(tx, of.projectId, slice, walked)))
    )
      return rows;
    isWalking = false;
    few ??= fewestOf(tx, others, fewDevices);
    const found = await few;
    return found === undefined ? read(slice, inSets) : readOf(found, slice);
  };
}

type Counted = Candidates & { readonly count: number };

/** The condition that a device is one of the selected ones, and passes. */
function isOneOf({ devices, passes, count }: Counted): RawBuilder<boolean> {
  const isSelected =
    count <= fewDevices
      ? sql`d.device_id = any(array(${devices}))`
      : sql`(d.device_id in (${devices})) is true`;
  return sql<boolean>`${isSelected} and ${passes}`;
}

/** The smallest of the selections, unless all have more devices than this. */
async function fewestOf(
  tx: Database,
  candidates: readonly Candidates[],
  most: number,
): Promise<Counted | undefined> {
  if (candidates.length === 0) return undefined;
  const counts = candidates.map(
    ({ devices }) =>
      sql`(select count(*)::int from (select 1 from (${devices}) as fits limit ${most + 1}) as counted)`,
  );
  const { rows } = await sql<{ counts: number[] }>`
    select array[${sql.join(counts)}] as counts ${sql.raw(planEachTime)}`.execute(tx);
  const found = rows[0]?.counts ?? [];
  const count = Math.min(...found);
  const fewest = candidates[found.indexOf(count)];
  return fewest === undefined || count > most ? undefined : { ...fewest, count };
}

/** Whether more devices follow than were walked along. */
async function isLonger(tx: Database, projectId: string, slice: Slice, walked: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from devices d where d.project_id = ${projectId} and ${slice.follows} ${slice.order}
    offset ${walked} limit 1 ${sql.raw(planEachTime)}`.execute(tx);
  return rows.length > 0;
}
