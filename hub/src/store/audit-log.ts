import { ids, type Actor, type AuditLogActionStatus, type AuditLogEvent, type Json } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../db/connect.ts';
import { listOrder, sortKey, type ListOrder } from './paging/list-order.ts';
import { readPage, type Page, type PageRequest } from './paging/read-page.ts';

/** The requested part of a log. */
export interface LogRequest extends PageRequest {
  /** Only entries older than the one with this raw id; none where the log does not contain it. */
  readonly before: string | undefined;
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
/** Rows are written with at most 4 KiB; those of older hubs may be larger, and are not read. */
function shown(data: string): RawBuilder<unknown> {
  const column = sql.ref(data);
  return sql`case when pg_column_size(${column}) > 16384 then '{"…": "too large to be shown"}'::jsonb else ${column} end as data`;
}

function newestFirst<Row extends { created_at: string }>(
  name: string,
  id: keyof Row & string,
): ListOrder<Row> {
  return listOrder<Row>(name, 'desc', [sortKey('created_at', 'timestamptz'), sortKey(id, 'text')], {
    maxRows,
  });
}

const events = newestFirst<EventRow>('events', 'event_id');
const actions = newestFirst<ActionRow>('actions', 'action_id');

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

/** Reads a page of the events of the instance, newest first. */
export function readEvents(tx: Database, request: LogRequest): Promise<Page<AuditLogEvent>> {
  const list = sql`audit_events where true`;
  return readPage(events, request, {
    toItem: eventOf,
    async read(slice) {
      const { rows } = await sql<EventRow>`
        select event_id, actor, event, ${shown('data')}, action_id, job_id, created_at from ${list}
          and ${isOlder(request, 'event_id', list)} and ${slice.follows} ${slice.orderAndLimit}`.execute(tx);
      return rows;
    },
  });
}

/** Reads a page of the events about one entity, newest first. */
export function readEventsAbout(
  tx: Database,
  subject: LogSubject,
  request: LogRequest,
): Promise<Page<AuditLogEvent>> {
  const list = sql`audit_event_entities where entity_kind = ${subject.kind} and entity_id = ${subject.id}`;
  return readPage(events, request, {
    of: `${subject.kind} ${subject.id}`,
    toItem: eventOf,
    async read(slice) {
      const { rows } = await sql<EventRow>`
        select e.event_id, e.actor, e.event, ${shown('e.data')}, e.action_id, e.job_id, e.created_at from (
          select event_id, created_at from ${list}
            and ${isOlder(request, 'event_id', list)} and ${slice.follows} ${slice.orderAndLimit}
        ) as entry join audit_events e using (event_id)
        order by entry.created_at desc, entry.event_id desc`.execute(tx);
      return rows;
    },
  });
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

/** Reads a page of the commands that were called in the instance, newest first. */
export function readActions(tx: Database, request: LogRequest) {
  const list = sql`audit_actions where true`;
  return readPage(actions, request, {
    toItem: actionOf,
    async read(slice) {
      const { rows } = await sql<ActionRow>`
        select action_id, actor, action, ${shown('data')}, status, created_at from ${list}
          and ${isOlder(request, 'action_id', list)} and ${slice.follows} ${slice.orderAndLimit}`.execute(tx);
      return rows;
    },
  });
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
