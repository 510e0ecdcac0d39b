import type { DeviceEventSeverity } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../db/connect.ts';
import { deviceQuota } from './instance-settings.ts';
import { listOrder, sortKey, type ListOrder, type Slice } from './paging/list-order.ts';
import type { CutRows } from './paging/read-page.ts';
import { readWithinBytes } from './paging/read-within-bytes.ts';

/** Events of one device as columns: the rows are the same index in each. */
export interface EventColumns {
  readonly ids: string[];
  /** Year and month by the event id, such as 202611. */
  readonly months: number[];
  readonly categories: (string | null)[];
  readonly severities: string[];
  /** JSON text. */
  readonly bodies: string[];
  /** JSON text. */
  readonly attributes: string[];
  /** RFC 3339, UTC. */
  readonly emittedAt: string[];
}

/** The result of storing events of a device. */
export interface StoredEvents {
  /** The raw id of the device's project. */
  readonly projectId: string;
  /** How many of the events were new. */
  readonly count: number;
  /** Whether the device may send as many today; if not, none was stored. */
  readonly isWithinQuota: boolean;
}

/**
 * Stores those events of a device that are new, in one statement, and counts all of them for the day; stores nothing if the device does not exist or has sent
 * as many as it may. The row of the day is locked until the commit, so that parallel calls cannot pass the quota together.
 */
export async function insertEvents(
  tx: Database,
  deviceId: string,
  events: EventColumns,
  now: Date,
): Promise<StoredEvents | undefined> {
  const { rows } = await sql<StoredEvents>`
    with device as (
      select device_id, project_id from devices where device_id = ${deviceId} for key share
    ), counted as (
      insert into device_event_days as d (device_id, day, events, event_bytes)
        select device_id, ${now.toISOString().slice(0, 10)}::date, ${events.ids.length}::int, ${bytesOf(events)}::bigint from device
      on conflict (device_id) do update set day = excluded.day,
        events = excluded.events + case when d.day = excluded.day then d.events else 0 end,
        event_bytes = excluded.event_bytes + case when d.day = excluded.day then d.event_bytes else 0 end
        where d.day <> excluded.day or (d.events + excluded.events <= ${deviceQuota('deviceEventsPerDay')}
          and d.event_bytes + excluded.event_bytes <= ${deviceQuota('deviceEventBytesPerDay')})
      returning 1
    ), stored as (
      insert into device_events
        (device_id, event_month, event_id, category, severity, body, attributes, emitted_at, received_at)
      select device_id, e.month, e.id, e.category, e.severity, e.body, e.attributes, e.emitted_at, ${now}
      from device join counted on true, unnest(${events.months}::int[], ${events.ids}::text[], ${events.categories}::text[], ${events.severities}::text[],
        ${events.bodies}::jsonb[], ${events.attributes}::jsonb[], ${events.emittedAt}::timestamptz[])
        as e(month, id, category, severity, body, attributes, emitted_at)
      on conflict do nothing returning 1
    )
    select project_id as "projectId", (select count(*) from stored) as count,
      exists (select 1 from counted) as "isWithinQuota" from device`.execute(tx);
  return rows[0];
}

function bytesOf({ bodies, attributes }: EventColumns): number {
  return [...bodies, ...attributes].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

/** An event as it is stored, with its documents as JSON text. */
export interface EventRow {
  readonly event_id: string;
  readonly category: string | null;
  readonly severity: DeviceEventSeverity;
  readonly body: string;
  readonly attributes: string;
  readonly emitted_at: string;
  readonly received_at: string;
}

/** The events of a device by the time of emission, newest first unless the other order is asked for; an event may have 64 KiB. */
export function eventOrder(order: 'emitted' | '-emitted' = '-emitted'): ListOrder<EventRow> {
  const keys = [sortKey<EventRow>('emitted_at', 'timestamptz'), sortKey<EventRow>('event_id', 'text')];
  const limits = { defaultRows: 100, maxRows: 1000, maxBatchRows: 100 };
  return order === '-emitted'
    ? listOrder('devices_QueryDeviceEvents', 'desc', keys, limits)
    : listOrder('devices_QueryDeviceEvents emitted', 'asc', keys, limits);
}

/** Reads a slice of the events of a device, by its raw id, as far as they fit on the page; `passes` is the condition of the filter. */
export function readEventsOfDevice(
  tx: Database,
  deviceId: string,
  passes: RawBuilder<boolean>,
  slice: Slice,
): Promise<CutRows<EventRow>> {
  return readWithinBytes(tx, slice, {
    rows: sql`select event_id, category, severity, body, attributes, emitted_at, received_at from device_events
      where device_id = ${deviceId} and ${passes} and ${slice.follows} ${slice.orderAndLimit}`,
    documents: ['body', 'attributes'],
    columns: ['event_id', 'category', 'severity', 'emitted_at', 'received_at'],
  });
}
