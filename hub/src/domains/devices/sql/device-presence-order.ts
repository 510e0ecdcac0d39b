import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import {
  ageKey,
  idKey,
  readDevices,
  type DeviceList,
  type DeviceOrder,
  type ListedDevice,
} from './device-lists.ts';
import { sortKey, type Slice } from '../../../platform/db/paging/list-order.ts';
import { segmentReader, type Segment } from '../../../platform/db/paging/segments.ts';
import { isConnected } from './presence.ts';

/** The segments of the orders by presence, by ascending rank; undefined for other orders. */
function segmentsOf(order: DeviceOrder, now: Date): readonly Segment<ListedDevice>[] | undefined {
  const connected = isConnected(now);
  const disconnected = sql<boolean>`not ${connected}`;
  if (order === 'status' || order === '-status')
    return [
      { rank: false, condition: disconnected, keys: [ageKey, idKey] },
      { rank: true, condition: connected, keys: [ageKey, idKey] },
    ];
  if (order !== 'lastSeen' && order !== '-lastSeen') return undefined;
  const seenAt = (at: RawBuilder<unknown>) => [sortKey<ListedDevice>('seen_key', 'timestamptz', at), idKey];
  const never = {
    condition: sql<boolean>`${disconnected} and d.last_seen_at is null`,
    keys: seenAt(sql`d.created_at`),
  };
  const known = [
    {
      rank: 0,
      condition: sql<boolean>`${disconnected} and d.last_seen_at is not null`,
      keys: seenAt(sql`d.last_seen_at`),
    },
    { rank: 1, condition: connected, keys: seenAt(sql`d.created_at`) },
  ];
  return order === 'lastSeen' ? [...known, { rank: 2, ...never }] : [{ rank: -1, ...never }, ...known];
}

/**
 * A function that reads slices of the devices of a project in an order by presence, segment by segment. Undefined for other orders.
 */
export function presenceReader(
  tx: Database,
  order: DeviceOrder,
  of: DeviceList,
): ((slice: Slice) => Promise<ListedDevice[]>) | undefined {
  const segments = segmentsOf(order, of.now);
  if (segments === undefined) return undefined;
  return segmentReader(of.list, segments, (list, condition, slice) =>
    readDevices(tx, { ...of, passes: sql<boolean>`${of.passes} and ${condition}`, list }, slice),
  );
}
