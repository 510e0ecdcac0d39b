import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../db/connect.ts';
import {
  ageKey,
  idKey,
  readDevices,
  type DeviceList,
  type DeviceOrder,
  type ListedDevice,
} from './device-lists.ts';
import { sliceOf, sortKey, type Slice, type SortKey } from './paging/list-order.ts';
import { isConnected } from './presence.ts';

/** Devices that an order lists together: all with one value of its first key. */
interface Segment {
  readonly rank: boolean | number;
  readonly holds: RawBuilder<boolean>;
  /** The further keys of the order, which among these devices have an index where they are age and id. */
  readonly keys: readonly SortKey<ListedDevice>[];
}

/** The segments of the orders by presence, by ascending rank; undefined for other orders. */
function segmentsOf(order: DeviceOrder, now: Date): readonly Segment[] | undefined {
  const connected = isConnected(now);
  const apart = sql<boolean>`not ${connected}`;
  if (order === 'status' || order === '-status')
    return [
      { rank: false, holds: apart, keys: [ageKey, idKey] },
      { rank: true, holds: connected, keys: [ageKey, idKey] },
    ];
  if (order !== 'lastSeen' && order !== '-lastSeen') return undefined;
  const seenAt = (at: RawBuilder<unknown>) => [sortKey<ListedDevice>('seen_key', 'timestamptz', at), idKey];
  const never = {
    holds: sql<boolean>`${apart} and d.last_seen_at is null`,
    keys: seenAt(sql`d.created_at`),
  };
  const known = [
    {
      rank: 0,
      holds: sql<boolean>`${apart} and d.last_seen_at is not null`,
      keys: seenAt(sql`d.last_seen_at`),
    },
    { rank: 1, holds: connected, keys: seenAt(sql`d.created_at`) },
  ];
  return order === 'lastSeen' ? [...known, { rank: 2, ...never }] : [{ rank: -1, ...never }, ...known];
}

/**
 * A function that reads slices of the devices of a project in an order by presence, segment by segment: most of these have an index for their further keys, where the
 * whole list would be sorted. Undefined for other orders.
 */
export function segmentReader(
  tx: Database,
  order: DeviceOrder,
  of: DeviceList,
): ((slice: Slice) => Promise<ListedDevice[]>) | undefined {
  const ascending = segmentsOf(order, of.now);
  if (ascending === undefined) return undefined;
  const segments = of.list.direction === 'asc' ? ascending : ascending.toReversed();
  return async ({ limit, bytesLeft, position }) => {
    const rows: ListedDevice[] = [];
    const from = position === undefined ? 0 : segments.findIndex(({ rank }) => rank === position[0]);
    for (const [index, { rank, holds, keys }] of segments.entries()) {
      if (index < from || rows.length >= limit) continue;
      const list = { ...of.list, keys };
      const after = index === from ? position?.slice(1) : undefined;
      const slice = sliceOf(list, after, limit - rows.length, bytesLeft);
      const found = await readDevices(
        tx,
        { ...of, passes: sql<boolean>`${of.passes} and ${holds}`, list },
        slice,
      );
      const [column] = of.list.keys;
      rows.push(...found.map((row) => ({ ...row, [column?.column ?? '']: rank })));
    }
    return rows;
  };
}
