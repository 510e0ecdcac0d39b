import { sql } from 'kysely';
import type { CallContext, Internal } from '../../../calls/handler.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { readSetting, settingsOfRecentNodes } from '../../instance/index.ts';
import { monthFrom, monthsOfIds } from '../sql/event-months.ts';
import { dropOldEventPartitions, ensureEventPartitions, partitionedMonths } from '../sql/event-partitions.ts';

const key = 'eventRetentionMonths';

/**
 * Creates the partitions of last, this and next month. If a retention is given, also drops those past the longest retention of the nodes of the last hour, and clears the default
 * partition.
 */
export const RotateEventPartitions: Internal<{ retentionMonths?: number }, void> = {
  name: 'devices_RotateEventPartitions',
  // Each partition is created in a transaction of its own, so that writers wait for one at a time.
  isOneStatement: () => true,

  async run(context) {
    const { tx, input, now } = context;
    await ensureEventPartitions(tx, now);
    if (input.retentionMonths === undefined) return;
    const months = await longestRetention(context, input.retentionMonths);
    await dropOldEventPartitions(tx, now, months);
    await clearDefaultPartition(tx, now, months);
  },
};

/**
 * The longest retention of the nodes of the last hour, and of the calling one: a node whose configuration lacks the setting must not drop what another one keeps. A node whose
 * configuration does not set it has what administrators have set, or else the default.
 */
async function longestRetention(
  { tx, now, settings }: CallContext<{ retentionMonths?: number }>,
  own: number,
): Promise<number> {
  const recent = await settingsOfRecentNodes(tx, now);
  const unset = (await readSetting(tx, key)) ?? settings.get(key)?.fallback ?? own;
  return Math.max(own, ...recent.map(({ eventRetentionMonths }) => eventRetentionMonths ?? Number(unset)));
}

/** Events that one step looks at; each may have 64 KiB. */
const eventsAtOnce = 1_000;

/** The primary key of an event. */
interface EventKey {
  readonly device_id: string;
  readonly event_id: string;
  readonly event_month: number;
}

/** What a walk through the default partition does with its events. */
interface Clearing {
  /** Events that were received earlier are deleted. */
  readonly receivedFrom: Date;
  /** Events of other months are moved to the month of their receipt. */
  readonly monthsOfIds: { readonly first: number; readonly last: number };
  /** The months with partitions of their own. */
  readonly partitions: readonly number[];
}

/**
 * Empties the default partition in short steps, each a transaction: deletes events beyond the retention, and moves the others to the month
 * of their receipt, if that has a partition. Any node may call it at any time.
 */
async function clearDefaultPartition(db: Database, now: Date, retentionMonths: number): Promise<void> {
  const oldest = monthFrom(now, -retentionMonths);
  const clearing = {
    receivedFrom: new Date(Date.UTC(Math.floor(oldest / 100), (oldest % 100) - 1)),
    monthsOfIds: monthsOfIds(now),
    partitions: await partitionedMonths(db),
  };
  let last: EventKey | undefined = { device_id: '', event_id: '', event_month: 0 };
  while (last !== undefined) last = await clearSome(db, last, clearing);
}

/** Looks at the events after a key; returns the key of the last one, or undefined if there are no more. */
async function clearSome(
  db: Database,
  after: EventKey,
  { receivedFrom, monthsOfIds: { first, last }, partitions }: Clearing,
): Promise<EventKey | undefined> {
  const { rows } = await sql<EventKey>`
    with page as materialized (
      select device_id, event_id, event_month, received_at,
        to_char(received_at at time zone 'UTC', 'YYYYMM')::int as receipt_month from device_events_other
      where (device_id, event_id, event_month) > (${after.device_id}, ${after.event_id}, ${after.event_month}::int)
      order by device_id, event_id, event_month limit ${eventsAtOnce}
    ), leaving as (
      select * from page where received_at < ${receivedFrom}
        or (event_month not between ${first} and ${last} and receipt_month = any(${partitions}::int[]))
    ), deleted as (
      delete from device_events_other o using leaving l
      where o.device_id = l.device_id and o.event_id = l.event_id and o.event_month = l.event_month
      returning o.*, l.receipt_month
    ), moved as (
      insert into device_events
        (device_id, event_month, event_id, category, severity, body, attributes, emitted_at, device_time, received_at, export_project, export_position)
      select device_id, receipt_month, event_id, category, severity, body, attributes, emitted_at, device_time, received_at, export_project, export_position
      from deleted where received_at >= ${receivedFrom} on conflict do nothing
    )
    select device_id, event_id, event_month from page
    order by device_id desc, event_id desc, event_month desc limit 1`.execute(db);
  return rows[0];
}
