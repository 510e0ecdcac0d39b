import { ids, type Actor, type AuditLogActionStatus, type AuditLogEvent, type Json } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { planOnce } from '../../../platform/db/plan-once.ts';
import { logFilterSql } from './log-filter.ts';
import { listOrder, sortKey, type ListOrder, type Slice } from '../../../platform/db/paging/list-order.ts';
import {
  filteredScope,
  readPage,
  type Page,
  type PageRequest,
} from '../../../platform/db/paging/read-page.ts';

/** The requested part of a log. */
export interface LogRequest extends PageRequest {
  /** See `logFilterSql`. */
  readonly filter?: string | undefined;
  /** The newest first unless the other order is asked for. */
  readonly order?: 'created' | '-created' | undefined;
  /** Only entries older than the one with this raw id; none where the log does not contain it. */
  readonly before: string | undefined;
}

/** Which entries of the log of the instance are read; all of the conditions hold. */
interface LogFilter {
  /** As `actor_key` writes an actor. */
  readonly actor?: string | undefined;
  readonly since?: string | undefined;
}

/** The requested part of the events of the instance. */
export interface EventsRequest extends LogRequest, LogFilter {
  readonly event?: string | undefined;
  /** The raw id of the command whose events are read. */
  readonly action: string | undefined;
}

/** The requested part of the commands of the instance. */
export interface ActionsRequest extends LogRequest, LogFilter {
  readonly action?: string | undefined;
  readonly status?: AuditLogActionStatus | undefined;
}

/** Whose log is read: of one entity by its raw id. */
export interface LogSubject {
  readonly kind: 'user' | 'project' | 'repository';
  readonly id: string;
}

interface EventRow {
  readonly event_id: string;
  readonly actor: Actor;
  readonly event: string;
  readonly data: Json;
  readonly action_id: string | null;
  readonly job_id: string | null;
  readonly created_at: string;
}

interface ActionRow {
  readonly action_id: string;
  readonly actor: Actor;
  readonly action: string;
  readonly data: Record<string, Json>;
  readonly status: AuditLogActionStatus;
  readonly created_at: string;
}

const maxRows = 1000;
const maxCounted = 1000;
const unsuccessfulStatuses = ['Pending', 'Failed', 'Rejected', 'Panicked'] as const;
type UnsuccessfulStatus = (typeof unsuccessfulStatuses)[number];

/** Rows are written with at most 4 KiB; those of older hubs may be larger, and are not read. */
function shown(data: string): RawBuilder<unknown> {
  const column = sql.ref(data);
  return sql`case when pg_column_size(${column}) > 16384 then '{"…": "too large to be shown"}'::jsonb else ${column} end as data`;
}

function listOf<Row extends { created_at: string }>(
  name: string,
  id: keyof Row & string,
  order: LogRequest['order'],
): ListOrder<Row> {
  const keys = [sortKey<Row>('created_at', 'timestamptz'), sortKey<Row>(id, 'text')];
  return order === 'created'
    ? listOrder(`${name} created`, 'asc', keys, { maxRows })
    : listOrder(name, 'desc', keys, { maxRows });
}

/** The condition that a row is older than the entry `before` of the same list. */
function isOlder(
  { before }: LogRequest,
  key: 'event_id' | 'action_id',
  list: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (before === undefined) return sql`true`;
  const id = sql.ref(key);
  return sql`(created_at, ${id}) < (select created_at, ${id} from ${list} and ${id} = ${before})`;
}

const isTrue = sql<boolean>`true`;

/** The condition that a column has a value, where one is wanted. */
function equals(column: string, wanted: string | undefined): RawBuilder<boolean> {
  return wanted === undefined ? isTrue : sql<boolean>`${sql.ref(column)} = ${wanted}`;
}

function passes({ actor, since }: LogFilter): RawBuilder<boolean> {
  const byActor = actor === undefined ? isTrue : sql<boolean>`actor_key(actor) = ${actor}`;
  const isSince = since === undefined ? isTrue : sql<boolean>`created_at >= ${since}`;
  return sql<boolean>`${byActor} and ${isSince}`;
}

/** Reads a page of the events of the instance, newest first unless the other order is asked for. */
export function readEvents(tx: Database, request: EventsRequest, now: Date): Promise<Page<AuditLogEvent>> {
  const { event, actor, since, action, filter, order } = request;
  const list = sql`audit_events where ${passes(request)} and ${equals('event', event)} and ${equals('action_id', action)}
    and ${logFilterSql('events', filter, now)}`;
  return readPage(listOf<EventRow>('events', 'event_id', order), request, {
    scope: filteredScope(filterName([event, actor, since, action]), filter),
    toItem: eventOf,
    async read(slice) {
      const { rows } = await sql<EventRow>`
        select event_id, actor, event, ${shown('data')}, action_id, job_id, created_at from ${list}
          and ${isOlder(request, 'event_id', list)} and ${slice.follows} ${slice.orderAndLimit}`.execute(tx);
      return rows;
    },
  });
}

/** Reads a page of the events about one entity, newest first unless the other order is asked for. */
export function readEventsAbout(
  tx: Database,
  { kind, id }: LogSubject,
  request: LogRequest,
  now: Date,
): Promise<Page<AuditLogEvent>> {
  const { filter, order } = request;
  const entries = sql`audit_event_entities where entity_kind = ${kind} and entity_id = ${id}`;
  // Without a filter the slice is selected first, so that only its events are read.
  const read = (slice: Slice): RawBuilder<EventRow> =>
    filter === undefined
      ? sql<EventRow>`select e.event_id, e.actor, e.event, ${shown('e.data')}, e.action_id, e.job_id, e.created_at from (
          select event_id, created_at from ${entries} and ${isOlder(request, 'event_id', entries)}
            and ${slice.follows} ${slice.orderAndLimit}
        ) as entry join audit_events e using (event_id)
        order by entry.created_at ${directionOf(order)}, entry.event_id ${directionOf(order)}`
      : sql<EventRow>`select event_id, actor, event, ${shown('data')}, action_id, job_id, created_at from (
          select entry.event_id, entry.created_at, e.actor, e.event, e.data, e.action_id, e.job_id
          from (select event_id, created_at from ${entries}) as entry join audit_events e using (event_id)
        ) as log where ${logFilterSql('events', filter, now)} and ${isOlder(request, 'event_id', entries)}
          and ${slice.follows} ${slice.orderAndLimit}`;
  return readPage(listOf<EventRow>('events', 'event_id', order), request, {
    scope: filteredScope(`${kind} ${id}`, filter),
    toItem: eventOf,
    read: async (slice) => (await read(slice).execute(tx)).rows,
  });
}

function directionOf(order: LogRequest['order']): RawBuilder<unknown> {
  return order === 'created' ? sql`asc` : sql`desc`;
}

function eventOf(row: EventRow): AuditLogEvent {
  return {
    eventId: ids.auditEvent.of(row.event_id),
    actor: row.actor,
    event: row.event,
    data: row.data,
    createdAt: row.created_at,
    ...(row.action_id === null ? {} : { action: { actionId: ids.auditAction.of(row.action_id) } }),
    ...(row.job_id === null ? {} : { job: { jobId: ids.job.of(row.job_id) } }),
  };
}

/** Reads a page of the commands that were called in the instance, newest first unless the other order is asked for. */
export function readActions(tx: Database, request: ActionsRequest, now: Date) {
  const { action, actor, since, status, filter, order } = request;
  // The index of the commands without success is only used where the planner sees that the status is not Succeeded.
  const isUnsuccessful = status === undefined || status === 'Succeeded' ? isTrue : sql`status <> 'Succeeded'`;
  const list = sql`audit_actions where ${passes(request)} and ${equals('action', action)} and ${equals('status', status)}
    and ${isUnsuccessful} and ${logFilterSql('commands', filter, now)}`;
  return readPage(listOf<ActionRow>('actions', 'action_id', order), request, {
    scope: filteredScope(filterName([action, actor, since, status]), filter),
    toItem: actionOf,
    async read(slice) {
      const { rows } = await sql<ActionRow>`
        select action_id, actor, action, ${shown('data')}, status, created_at from ${list}
          and ${isOlder(request, 'action_id', list)} and ${slice.follows} ${slice.orderAndLimit}`.execute(tx);
      return rows;
    },
  });
}

/** The raw ids of the events with these names since then, the newest first; at most 1,000. */
export async function findEventsSince(
  tx: Database,
  names: readonly string[],
  since: Date,
): Promise<string[]> {
  const { rows } = await sql<{ event_id: string }>`
    select event_id from audit_events where event = any(${planOnce(names, 'text')}) and created_at >= ${since}
    order by created_at desc limit 1000`.execute(tx);
  return rows.map((row) => row.event_id);
}

/** Counts the commands with each outcome but success, up to 1000 of each. */
export async function countUnsuccessful(tx: Database): Promise<Record<UnsuccessfulStatus, number>> {
  const { rows } = await sql<{ status: UnsuccessfulStatus; count: number }>`
    select wanted.status, (
      select count(*) from (
        select 1 from audit_actions a where a.status = wanted.status and a.status <> 'Succeeded' limit ${maxCounted}
      ) as found
    ) as count from unnest(${[...unsuccessfulStatuses]}::text[]) as wanted(status)`.execute(tx);
  return Object.fromEntries(rows.map(({ status, count }) => [status, count])) as Record<
    UnsuccessfulStatus,
    number
  >;
}

/** A cursor belongs to the filter that its page was read with; no filter is the empty name, as in cursors of older hubs. */
function filterName(parts: readonly (string | undefined)[]): string {
  return parts.every((part) => part === undefined) ? '' : JSON.stringify(parts.map((part) => part ?? null));
}

function actionOf(row: ActionRow) {
  return {
    actionId: ids.auditAction.of(row.action_id),
    actor: row.actor,
    action: row.action,
    data: row.data,
    status: row.status,
    createdAt: row.created_at,
  };
}
