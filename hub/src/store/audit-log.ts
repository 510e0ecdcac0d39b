import { ids, type Actor, type AuditLogActionStatus, type AuditLogEvent, type Json } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../db/connect.ts';

const mostEntries = 1000;

/** Which part of a log is asked for: at most `limit` entries (1000 at most) older than the one with the raw id `before`. */
export interface LogPage {
  readonly limit: number | undefined;
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

const limitOf = (page: LogPage): number => Math.min(page.limit ?? mostEntries, mostEntries);

/** The condition that a row comes after the entry `before` in a list that is newest first; no row does where that entry is not in the list. */
function isBehind(
  page: LogPage,
  key: 'event_id' | 'action_id',
  list: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (page.before === undefined) return sql`true`;
  const id = sql.ref(key);
  return sql`(created_at, ${id}) < (select created_at, ${id} from ${list} and ${id} = ${page.before})`;
}

/** Reads the events of the instance, newest first. */
export function readEvents(tx: Database, page: LogPage): Promise<AuditLogEvent[]> {
  const list = sql`audit_events where true`;
  return select(
    tx,
    sql`select event_id, actor, event, data, action_id, job_id, created_at from ${list} and ${isBehind(page, 'event_id', list)}
      order by created_at desc, event_id desc limit ${limitOf(page)}`,
  );
}

/** Reads the events that are about one entity, newest first. */
export function readEventsAbout(tx: Database, subject: LogSubject, page: LogPage): Promise<AuditLogEvent[]> {
  const list = sql`audit_event_entities where entity_kind = ${subject.kind} and entity_id = ${subject.id}`;
  return select(
    tx,
    sql`select e.event_id, e.actor, e.event, e.data, e.action_id, e.job_id, e.created_at from (
        select event_id, created_at from ${list} and ${isBehind(page, 'event_id', list)}
        order by created_at desc, event_id desc limit ${limitOf(page)}
      ) as entry join audit_events e using (event_id)
      order by entry.created_at desc, entry.event_id desc`,
  );
}

async function select(tx: Database, statement: RawBuilder<unknown>): Promise<AuditLogEvent[]> {
  const { rows } = await statement.execute(tx);
  return (rows as EventRow[]).map((row) => ({
    eventId: ids.auditEvent.of(row.event_id),
    actor: row.actor,
    event: row.event,
    data: row.data,
    createdAt: row.created_at,
    ...(row.action_id === null ? {} : { action: { actionId: ids.auditAction.of(row.action_id) } }),
    ...(row.job_id === null ? {} : { job: { jobId: ids.job.of(row.job_id) } }),
  }));
}

interface ActionRow {
  readonly action_id: string;
  readonly actor: Actor;
  readonly action: string;
  readonly data: Record<string, Json>;
  readonly status: AuditLogActionStatus;
  readonly created_at: string;
}

/** Reads the commands that were tried in the instance, newest first. */
export async function readActions(tx: Database, page: LogPage) {
  const list = sql`audit_actions where true`;
  const { rows } =
    await sql<ActionRow>`select action_id, actor, action, data, status, created_at from ${list} and ${isBehind(page, 'action_id', list)}
    order by created_at desc, action_id desc limit ${limitOf(page)}`.execute(tx);
  return rows.map((row) => ({
    actionId: ids.auditAction.of(row.action_id),
    actor: row.actor,
    action: row.action,
    data: row.data,
    status: row.status,
    createdAt: row.created_at,
  }));
}
