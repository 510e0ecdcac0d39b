import { type DeviceEventSeverity, eventFields, ids, type Json } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { batch } from '../../../platform/db/batch.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { limitConcurrency } from '../../../platform/db/limit-concurrency.ts';
import { withJsonTexts } from '../../../platform/db/json-text.ts';
import { exportProject } from '../../../platform/db/otlp-positions.ts';
import { planOnce, type ElementType } from '../../../platform/db/plan-once.ts';
import { quotaSql } from '../../../platform/db/quota-sql.ts';
import { listOrder, sortKey, type ListOrder, type Slice } from '../../../platform/db/paging/list-order.ts';
import type { CutRows } from '../../../platform/db/paging/read-page.ts';
import { compactText, readWithinBytes } from '../../../platform/db/paging/read-within-bytes.ts';
import { shownName } from './shown-name.ts';

/** Events of one device as columns: the rows are the same index in each. */
export interface EventColumns {
  readonly ids: string[];
  /** The month that an event is stored in, such as 202611. */
  readonly months: number[];
  readonly categories: (string | null)[];
  readonly severities: string[];
  /** JSON text. */
  readonly bodies: string[];
  /** JSON text. */
  readonly attributes: string[];
  /** When they happened, RFC 3339, UTC: the time of emission, or of receipt if the two are too far apart. */
  readonly emittedAt: string[];
  /** The times of emission that the device gave, where they are too far from that of receipt. */
  readonly deviceTimes: (string | null)[];
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

/** Events of one device that are to be stored. */
interface Publication {
  /** The raw id of the device. */
  readonly deviceId: string;
  readonly events: EventColumns;
  readonly now: Date;
}

/**
 * Stores those events of a device that are new, in one statement, and counts all of them for the day; stores nothing if the device does not exist or has sent
 * as many as it may. The row of the day is locked until the commit, so that parallel calls cannot pass the quota together. Outside of a transaction, publications of many
 * devices at the same time are stored by one bulk statement: 2,000 devices that send an event every 2 s would need 1,000 transactions a second, and their flushes.
 */
export async function insertEvents(
  tx: Database,
  deviceId: string,
  events: EventColumns,
  now: Date,
): Promise<StoredEvents | undefined> {
  const publication = { deviceId, events, now };
  if (tx.isTransaction) return insertAlone(tx, publication);
  return (await insertTogether(tx, publication)) ?? insertInTurn(tx, publication);
}

async function insertAlone(tx: Database, publication: Publication): Promise<StoredEvents | undefined> {
  return (await insertPublications(tx, [publication], 'wait')).get(publication.deviceId);
}

const waitingAtOnce = 6;
const insertInTurn = limitConcurrency(waitingAtOnce, insertAlone);

/**
 * Stores publications of several devices in one statement. Undefined for those that must be stored alone: of a device that is locked, sent no events before or does not
 * exist; the second one of a device; and all of them if the statement fails.
 */
const insertTogether = batch<Publication, StoredEvents | undefined>(async (db, publications) => {
  const ofDevices = new Map(publications.map((publication) => [publication.deviceId, publication]));
  const stored = await insertPublications(db, [...ofDevices.values()], 'skip').catch((error: unknown) => {
    if (publications.length === 1 || !isAboutData(error)) throw error;
    return new Map<string, StoredEvents>();
  });
  return publications.map((publication) =>
    ofDevices.get(publication.deviceId) === publication ? stored.get(publication.deviceId) : undefined,
  );
});

/** Whether PostgreSQL refused a value, or a row by a constraint: the classes 22 and 23 of its error codes. */
function isAboutData(error: unknown): boolean {
  return /^2[23]/.test(String((error as { code?: unknown }).code));
}

/**
 * Stores publications of different devices; the result is by device. A device that is locked is waited for or left out, as is one whose row of the day is locked: others
 * would wait for a large publication of that device. Whether somebody just inserts that row cannot be seen, so a device without one is left out as well.
 */
async function insertPublications(
  db: Database,
  publications: readonly Publication[],
  locked: 'wait' | 'skip',
): Promise<Map<string, StoredEvents>> {
  const ofPublications = (type: ElementType, valueOf: (publication: Publication) => unknown) =>
    planOnce(publications.map(valueOf), type);
  const ofEvents = (type: ElementType, valuesOf: (publication: Publication) => readonly unknown[]) =>
    planOnce(publications.flatMap(valuesOf), type);
  const { rows } = await sql<StoredEvents & { deviceId: string }>`
    with device as (
      select d.device_id, d.project_id, a.day, a.events, a.bytes, ${exportProject(sql`d.project_id`, 'events')} as export_project
        from unnest(${ofPublications('text', ({ deviceId }) => deviceId)}, ${ofPublications('date', ({ now }) => now.toISOString().slice(0, 10))},
          ${ofPublications('int', ({ events }) => events.ids.length)}, ${ofPublications('bigint', ({ events }) => bytesOf(events))}) as a(device_id, day, events, bytes)
        join devices d using (device_id) ${locked === 'skip' ? sql`join device_event_days e using (device_id)` : sql``}
        order by d.device_id for key share of d ${locked === 'skip' ? sql`skip locked for no key update of e skip locked` : sql``}
    ), counted as (
      insert into device_event_days as d (device_id, day, events, event_bytes)
        select device_id, day, events, bytes from device order by device_id
      on conflict (device_id) do update set day = excluded.day,
        events = excluded.events + case when d.day = excluded.day then d.events else 0 end,
        event_bytes = excluded.event_bytes + case when d.day = excluded.day then d.event_bytes else 0 end
        where d.day <> excluded.day or (d.events + excluded.events <= ${quotaSql('deviceEventsPerDay')}
          and d.event_bytes + excluded.event_bytes <= ${quotaSql('deviceEventBytesPerDay')})
      returning device_id
    ), stored as (
      insert into device_events
        (device_id, event_month, event_id, category, severity, body, attributes, emitted_at, device_time, received_at, export_project, export_position)
      select e.device_id, e.month, e.id, e.category, e.severity, e.body, e.attributes, e.emitted_at, e.device_time, e.received_at,
        device.export_project, case when device.export_project is not null then audit_position() end
      from counted join device using (device_id) join unnest(${ofEvents('text', ({ deviceId, events }) => events.ids.map(() => deviceId))}, ${ofEvents('int', ({ events }) => events.months)},
        ${ofEvents('text', ({ events }) => events.ids)}, ${ofEvents('text', ({ events }) => events.categories)}, ${ofEvents('text', ({ events }) => events.severities)},
        ${ofEvents('jsonb', ({ events }) => events.bodies)}, ${ofEvents('jsonb', ({ events }) => events.attributes)},
        ${ofEvents('timestamptz', ({ events }) => events.emittedAt)}, ${ofEvents('timestamptz', ({ events }) => events.deviceTimes)},
        ${ofEvents('timestamptz', ({ events, now }) => events.ids.map(() => now))})
        with ordinality as e(device_id, month, id, category, severity, body, attributes, emitted_at, device_time, received_at, place) using (device_id)
      -- Of two events with the same id the first is stored.
      order by place on conflict do nothing returning device_id, severity, emitted_at
    ), noted as (
      insert into event_count_changes (project_id, minute, severity, events)
        select project_id, date_trunc('minute', emitted_at), severity, count(*) from stored join device using (device_id) group by 1, 2, 3
    )
    select device_id as "deviceId", project_id as "projectId", (select count(*) from stored s where s.device_id = device.device_id)::int as count,
      exists (select 1 from counted c where c.device_id = device.device_id) as "isWithinQuota" from device`.execute(
    db,
  );
  return new Map(rows.map(({ deviceId, ...stored }) => [deviceId, stored]));
}

/** Which of the raw ids a device, by its raw id, has events with already, in whichever month. */
export async function storedEventIds(
  db: Database,
  deviceId: string,
  rawIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ event_id: string }>`
    select event_id from device_events where device_id = ${deviceId} and event_id = any(${planOnce(rawIds, 'text')})`.execute(
    db,
  );
  return new Set(rows.map(({ event_id }) => event_id));
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
  readonly device_time: string | null;
  readonly received_at: string;
}

/** An event as an answer has it. */
export function eventOutput(row: EventRow) {
  const event = {
    eventId: ids.deviceEvent.of(row.event_id),
    ...(row.category === null ? {} : { category: row.category }),
    severity: row.severity,
    body: null as Json,
    attributes: {} as Record<string, Json>,
    emittedAt: row.device_time ?? row.emitted_at,
    receivedAt: row.received_at,
  };
  return withJsonTexts(event, { body: compactText(row.body), attributes: compactText(row.attributes) });
}

/** The events of a device by when they happened, newest first unless the other order is asked for; an event may have 64 KiB. */
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
    rows: sql`select event_id, category, severity, body, attributes, emitted_at, device_time, received_at from device_events
      where device_id = ${deviceId} and ${passes} and ${slice.follows} ${slice.orderAndLimit}`,
    documents: ['body', 'attributes'],
    columns: ['event_id', 'category', 'severity', 'emitted_at', 'device_time', 'received_at'],
  });
}

const { choices: severities = [] } = eventFields.named['severity'] ?? {};

/** An event in a list of several devices. */
export interface ProjectEventRow extends EventRow {
  readonly device_id: string;
  /** Its name, or else its hostname. */
  readonly device_name: string | null;
}

/** The events of all devices of a project, newest first. */
export const projectEventOrder = listOrder<ProjectEventRow>(
  'projects_QueryProjectEvents',
  'desc',
  [sortKey('emitted_at', 'timestamptz'), sortKey('device_id', 'text'), sortKey('event_id', 'text')],
  { defaultRows: 100, maxRows: 1000, maxBatchRows: 100 },
);

/** A project of so few devices is read device by device: among the events of a large instance its own are rare. */
const fewDevices = 1000;

/** Reads a slice of the events of all devices of a project, by its raw id; `passes` is the condition of the filter. */
export async function readEventsOfProject(
  tx: Database,
  projectId: string,
  passes: RawBuilder<boolean>,
  slice: Slice,
): Promise<CutRows<ProjectEventRow>> {
  const { rows: devices } = await sql<{ device_id: string }>`
    select device_id from devices where project_id = ${projectId} limit ${fewDevices + 1}`.execute(tx);
  const newest = (ofGroup: RawBuilder<unknown>) => sql`cross join lateral (
      select device_id, event_id, category, severity, body, attributes, emitted_at, device_time, received_at from device_events
      where ${ofGroup} and ${passes} and ${slice.follows} ${slice.orderAndLimit}) as e`;
  const found =
    devices.length <= fewDevices
      ? sql`unnest(${devices.map(({ device_id }) => device_id)}::text[]) as g(id) ${newest(sql`device_id = g.id`)}`
      : sql`unnest(${severities}::text[]) as g(name) ${newest(
          sql`severity = g.name and exists (select 1 from devices d where d.device_id = device_events.device_id and d.project_id = ${projectId})`,
        )}`;
  return readWithinBytes(tx, slice, {
    rows: sql`select e.*, ${shownName} as device_name
      from (select e.* from ${found} ${slice.orderAndLimit}) as e join devices d using (device_id)`,
    documents: ['body', 'attributes'],
    columns: [
      'device_id',
      'device_name',
      'event_id',
      'category',
      'severity',
      'emitted_at',
      'device_time',
      'received_at',
    ],
  });
}
