import { sql, type RawBuilder } from 'kysely';
import { hashBytes } from '../../../auth/merkle-tree.ts';
import type { AuditLogCursor } from '../../../auth/seal-statement.ts';
import type { Database } from '../../../platform/db/connect.ts';

/** The two lists of rows that a seal covers. */
export type AuditLogList = 'actions' | 'events';

/** A row of the audit log as a seal knows it. */
export interface AuditLogRow {
  readonly id: string;
  readonly position: number;
  readonly leaf: Buffer;
}

/**
 * The text of a row whose SHA-256 is its leaf. Equal rows have equal texts: `jsonb` keeps keys in one order, and the connections use UTC. PostgreSQL hashes the text,
 * so that no row has to be sent or parsed.
 */
const lists = {
  actions: {
    table: sql`audit_actions`,
    id: sql`action_id`,
    isFinal: sql`status <> 'Pending'`,
    text: sql<string>`json_build_object('kind', 'action', 'actionId', action_id, 'actor', actor, 'action', action, 'data', data,
      'status', status, 'nodeId', node_id, 'createdAt', created_at)::text`,
  },
  events: {
    table: sql`audit_events`,
    id: sql`event_id`,
    isFinal: sql`true`,
    text: sql<string>`json_build_object('kind', 'event', 'eventId', event_id, 'actor', actor, 'event', event, 'data', data,
      'actionId', action_id, 'jobId', job_id, 'createdAt', created_at, 'about', (
        select coalesce(json_agg(json_build_array(a.entity_kind, a.entity_id, a.created_at) order by a.entity_kind, a.entity_id, a.created_at), '[]')
        from audit_event_entities a where a.event_id = audit_events.event_id))::text`,
  },
} as const;

/** The texts of events by their raw ids. */
export async function readEventTexts(
  db: Database,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ event_id: string; text: string }>`
    select event_id, ${lists.events.text} as text from audit_events where event_id = any(${eventIds})`.execute(
    db,
  );
  return new Map(rows.map(({ event_id, text }) => [event_id, text]));
}

/**
 * The oldest rows after a cursor that no seal covers and that nothing can come before: all transactions below `pg_snapshot_xmin` have
 * ended. A long transaction only makes the seals wait.
 */
export function readUnsealed(
  db: Database,
  list: AuditLogList,
  after: AuditLogCursor,
  limit: number,
): Promise<AuditLogRow[]> {
  const horizon = sql`(select pg_snapshot_xmin(pg_current_snapshot())::text::bigint + audit_position_offset())`;
  return readRows(db, list, after, sql`position < ${horizon}`, limit);
}

/** The rows after one cursor up to another one. */
export function readBetween(
  db: Database,
  list: AuditLogList,
  after: AuditLogCursor,
  [position, id]: AuditLogCursor,
  limit: number,
): Promise<AuditLogRow[]> {
  return readRows(db, list, after, sql`(position, ${lists[list].id}) <= (${position}, ${id})`, limit);
}

async function readRows(
  db: Database,
  list: AuditLogList,
  [position, after]: AuditLogCursor,
  until: RawBuilder<unknown>,
  limit: number,
): Promise<AuditLogRow[]> {
  const { table, id, isFinal, text } = lists[list];
  const { rows } = await sql<AuditLogRow>`
    select ${id} as id, position, sha256('\\x00'::bytea || convert_to(${text}, 'UTF8')) as leaf from ${table}
    where ${isFinal} and (position, ${id}) > (${position}, ${after}) and ${until}
    order by position, ${id} limit ${limit}`.execute(db);
  return rows;
}

/** The leaves of rows, concatenated. */
export function leavesOf(rows: readonly AuditLogRow[]): Buffer {
  return Buffer.concat(
    rows.map(({ leaf }) => leaf),
    rows.length * hashBytes,
  );
}
