import { type RawBuilder, sql } from 'kysely';
import { type Database, planEachTime } from '../../../platform/db/connect.ts';
import type { Slice } from '../../../platform/db/paging/list-order.ts';
import {
  type DeviceList,
  type DeviceOrder,
  isIndexed,
  type ListedDevice,
  readDevices,
} from './device-lists.ts';
import { presenceReader } from './device-presence-order.ts';
import type { Candidates, DeviceFilter } from './filters/device-filter.ts';
import { isAmong } from './filters/index-sql.ts';

/** Up to this number, matching devices are read and sorted instead of being searched along the list; each takes some ten microseconds. */
const fewDevices = 2_000;
/** Larger sets are read only when walking a part of the list did not suffice; one of this size takes some ten milliseconds. */
const someDevices = 20_000;
/** How many devices of the list are tested for each one that is wanted. */
const walkedForEach = 10;
/** So many are tested first, to see whether the walk is worth it. */
const sampledDevices = 100;
/** The walk goes on if it would find this share of the wanted devices, were all like the sample. */
const promisingShare = 0.5;

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
  const read = (slice: Slice, passes: RawBuilder<boolean>, isSelective: boolean) =>
    readDevices(tx, { ...of, passes, isSelective }, slice);
  if (filter === undefined) {
    const all = { ...of, passes: sql<boolean>`true` };
    return (order && presenceReader(tx, order, all)) ?? ((slice) => readDevices(tx, all, slice));
  }
  const { inSets, ofEach, candidates } = filter;
  const ofIndexes = candidates.filter(({ byIndex }) => byIndex);
  const fewest = await fewestOf(tx, ofIndexes, someDevices);
  const readOf = async (selected: Counted, slice: Slice) =>
    selected.count === 0 ? [] : read(slice, isOneOf(selected), selected.count > fewDevices);
  if (fewest !== undefined) return (slice) => readOf(fewest, slice);
  const others = candidates.filter(({ byIndex }) => !byIndex);
  if (ofEach === undefined && others.length === 0) return (slice) => read(slice, inSets, false);
  let isWalking = isIndexed(order);
  let few: Promise<Counted | undefined> | undefined;
  return async (slice) => {
    const rows = isWalking ? await walk(tx, { ...of, passes: ofEach ?? inSets }, slice) : undefined;
    if (rows !== undefined) return rows;
    isWalking = false;
    few ??= fewestOf(tx, others, fewDevices);
    const found = await few;
    return found === undefined ? read(slice, inSets, true) : readOf(found, slice);
  };
}

/** Counts the devices of a project that pass a filter, up to `most`. */
export async function countFilteredDevices(
  tx: Database,
  { projectId, filter }: Pick<FilteredDevices, 'projectId' | 'filter'>,
  most: number,
): Promise<number> {
  const { candidates = [], inSets = sql<boolean>`true` } = filter ?? {};
  const ofIndexes = candidates.filter(({ byIndex }) => byIndex);
  const fewest = await fewestOf(tx, ofIndexes, someDevices);
  if (fewest?.count === 0) return 0;
  const passes = fewest === undefined ? inSets : isOneOf(fewest);
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select 1 from devices d where d.project_id = ${projectId} and ${passes} limit ${most}
    ) as found ${sql.raw(planEachTime)}`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Tests the next devices of the list one by one; undefined where too few of them pass and more follow. */
async function walk(tx: Database, list: DeviceList, slice: Slice): Promise<ListedDevice[] | undefined> {
  const most = slice.limit * walkedForEach;
  const steps = most > sampledDevices ? [sampledDevices, most] : [most];
  for (const walked of steps) {
    const rows = await readDevices(tx, { ...list, walked }, slice);
    if (rows.length >= slice.limit || !(await isLonger(tx, list.projectId, slice, walked))) return rows;
    const isPromising = (rows.length / walked) * most >= slice.limit * promisingShare;
    if (!isPromising) break;
  }
  return undefined;
}

type Counted = Candidates & { readonly count: number };

/** The condition that a device is one of the selected ones, and passes. */
function isOneOf({ devices, passes, count }: Counted): RawBuilder<boolean> {
  const isSelected = count <= fewDevices ? sql`d.device_id = any(array(${devices}))` : isAmong(devices);
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
