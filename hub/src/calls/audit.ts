import {
  type ActionDefinition,
  ActionError,
  type Actor,
  type AuditLogActionStatus,
  type DomainEvent,
  type EntityKind,
  events,
  ids,
  type Json,
} from '@corral/contract';
import { type RawBuilder, sql } from 'kysely';
import { newDatedRawId } from '../auth/random.ts';
import type { Database } from '../platform/db/connect.ts';
import { quotaSql } from '../platform/db/quota-sql.ts';
import { auditedFields } from './audited-fields.ts';

/** The opening row of a command, by its raw id. */
export interface OpenAction {
  readonly actionId: string;
  /** If the caller has more rows than it may within an hour: when that ends. */
  readonly fullUntil?: Date | undefined;
}

/** The rows that a caller adds to the log. */
export interface RowCount {
  /** Whose they are. */
  readonly subject: string;
  readonly rows: number;
}

/** A command that begins. */
export interface Opening {
  readonly actor: Actor;
  readonly name: string;
  readonly data: Record<string, Json>;
  readonly now: Date;
  readonly nodeId: string | undefined;
  /** Rows to be counted; undefined for callers who are not limited. */
  readonly count?: RowCount | undefined;
}

/** Inserts the opening row of a command, and counts its rows for its caller. */
export async function openAction(
  db: Database,
  { actor, name, data, now, nodeId, count }: Opening,
): Promise<OpenAction> {
  const actionId = newDatedRawId(now);
  const { rows } = await sql<{ readonly endsAt: string }>`
    with written as (
      insert into audit_actions (action_id, actor, action, data, status, node_id, created_at)
        values (${actionId}, ${JSON.stringify(actor)}, ${name}, ${JSON.stringify(data)}, 'Pending', ${nodeId ?? null}, ${now})
    ),
    counted as (
      insert into request_counts as c (subject, requests, window_ends_at)
        select subject, ${count?.rows ?? 0}::integer, ${now}::timestamptz + interval '1 hour'
          from (select ${count?.subject ?? null}::text as subject) as s where subject is not null
      on conflict (subject) do update set (requests, window_ends_at) = (
        select case when isOver then excluded.requests else c.requests + excluded.requests end,
          case when isOver then excluded.window_ends_at else c.window_ends_at end
        from (select c.window_ends_at <= excluded.window_ends_at - interval '1 hour' as isOver) as before)
      returning requests, window_ends_at
    )
    select window_ends_at as "endsAt" from counted where requests > ${quotaSql('recordedRowsPerHour')}`.execute(
    db,
  );
  const [full] = rows;
  return { actionId, fullUntil: full && new Date(full.endsAt) };
}

/**
 * Ends the row of a command, unless it has ended. `is true` hides the condition from the planner: the indexes of pending rows keep entries of all that ended since the last
 * vacuum, and a search there takes longer with each.
 */
function endAction(open: OpenAction | undefined, status: AuditLogActionStatus) {
  return sql`update audit_actions set status = ${status}
    where action_id = ${open?.actionId ?? null} and (status = 'Pending') is true`;
}

/** Sets the outcome of a command that was rolled back. */
export async function closeAction(
  db: Database,
  open: OpenAction,
  status: AuditLogActionStatus,
): Promise<void> {
  await endAction(open, status).execute(db);
}

/** A logged event with the raw id of its row. */
export interface NumberedEvent {
  readonly eventId: string;
  readonly event: DomainEvent;
}

const entityFields: Readonly<Record<EntityKind, string>> = {
  user: 'userId',
  project: 'projectId',
  repository: 'repositoryId',
  device: 'deviceId',
};

function entitiesOf({
  eventId,
  event,
}: NumberedEvent): { kind: EntityKind; id: string; eventId: string; at: string }[] {
  return events[event.name].entities.flatMap((kind) => {
    const id = event.data[entityFields[kind]];
    return typeof id === 'string'
      ? [{ kind, id: id.slice(ids[kind].tag.length + 1), eventId, at: event.at }]
      : [];
  });
}

/** How a command ended. */
interface Ending {
  readonly open: OpenAction | undefined;
  readonly recorded: readonly NumberedEvent[];
  readonly status: AuditLogActionStatus;
}

/** Events that a statement writes: the JSON of more would hold the event loop. */
const eventsAtOnce = 1000;

/** The parts of a `with` that insert events, their entities and the outbox rows. */
function insertsOf(written: readonly NumberedEvent[], open: OpenAction | undefined): RawBuilder<unknown> {
  const rows = written.map(({ eventId, event }) => ({ eventId, ...event, shown: bounded(event.data) }));
  const entities = written.flatMap(entitiesOf);
  return sql`entry as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as e("eventId" text, name text, data jsonb, shown jsonb, actor jsonb, at timestamptz)
    ),
    logged as (
      insert into audit_events (event_id, actor, event, data, action_id, created_at)
        select "eventId", actor, name, shown, ${open?.actionId ?? null}, at from entry
    ),
    attached as (
      insert into audit_event_entities (entity_kind, entity_id, created_at, event_id)
        select kind, id, at, "eventId" from jsonb_to_recordset(${JSON.stringify(entities)}::jsonb)
          as t(kind text, id text, at timestamptz, "eventId" text) on conflict do nothing
    ),
    left_for_dispatch as (
      insert into event_outbox (event_id, event, created_at)
        select "eventId", jsonb_build_object('name', name, 'data', data, 'actor', actor, 'at', at), at from entry
    ),
    left_for_webhooks as (
      insert into webhook_messages (webhook_id, message_id, type, data, happened_at, next_attempt_at)
        select w.webhook_id, e."eventId", e.name, e.shown || jsonb_build_object('actor', e.actor), e.at, e.at
        from entry e join webhooks w on w.project_id = substr(e.data ->> 'projectId', ${sql.lit(ids.project.tag.length + 2)})
        where w.disabled is null and exists (
          select 1 from unnest(w.types) as p where e.name = p or (p like '%*' and starts_with(e.name, rtrim(p, '*'))))
    )`;
}

/**
 * Writes the events of a command, their entities, the outbox rows and the outcome, in one statement of the transaction of the command, unless it has more than 1,000 events. Rejects with
 * NotReady when another node has closed the row, as it does for a node whose lease has ended.
 */
export async function finishAction(tx: Database, { open, recorded, status }: Ending): Promise<void> {
  let from = 0;
  for (; recorded.length - from > eventsAtOnce; from += eventsAtOnce)
    await sql`with ${insertsOf(recorded.slice(from, from + eventsAtOnce), open)} select 1`.execute(tx);
  const { rows } = await sql`
    with ${insertsOf(recorded.slice(from), open)}, done as (${endAction(open, status)} returning 1) select from done`.execute(
    tx,
  );
  if (open !== undefined && rows.length === 0)
    throw new ActionError('NotReady', 'The hub was cut off from its database. Try again in a moment.', {
      retryAfterSecs: 1,
    });
}

/** The fields of an input that the audit log may show, at every depth, within the bounds of a row. */
export function auditData(input: unknown): Record<string, Json> {
  return bounded((shownOf(input) ?? {}) as Record<string, Json>);
}

function shownOf(value: unknown): Json | undefined {
  if (Array.isArray(value)) return value.map((item) => shownOf(item) ?? null);
  if (typeof value !== 'object' || value === null) return value as Json;
  const kept = Object.entries(value).flatMap(([key, field]) => {
    const shown = auditedFields.has(key) && field !== undefined ? shownOf(field) : undefined;
    return shown === undefined ? [] : [[key, shown] as const];
  });
  return Object.fromEntries(kept);
}

/** The longest text in the audit log, in bytes of UTF-8. */
export const maxAuditedTextBytes = 256;
/** The data of one row as JSON, in bytes: with its actor and its ids a row stays below 4 KiB. */
export const maxAuditedDataBytes = 3_584;

/** Replaces omitted values. */
const ellipsis = '…';
const ellipsisBytes = Buffer.byteLength(ellipsis);
const numberBytes = 24;
/** Space for the `…` in every object and list that is still open when the row is full, and for the key that exceeds it. */
const marksBytes = 600;
const encoder = new TextEncoder();

/** Limits the data of an audit row: texts to 256 bytes, and all data to 3.5 KiB of JSON. Omitted parts are replaced by `…`. */
export function bounded(data: Readonly<Record<string, Json>>): Record<string, Json> {
  return keepObject(data, { leftBytes: maxAuditedDataBytes - marksBytes });
}

interface Budget {
  leftBytes: number;
}

/** A text of at most 256 bytes, cut between characters. */
function cutText(text: string): string {
  if (text.length * 3 <= maxAuditedTextBytes || Buffer.byteLength(text) <= maxAuditedTextBytes) return text;
  const { read } = encoder.encodeInto(text, new Uint8Array(maxAuditedTextBytes - ellipsisBytes));
  return text.slice(0, read) + ellipsis;
}

function keep(value: Json, budget: Budget): Json {
  if (typeof value === 'string') return keepText(value, budget);
  if (Array.isArray(value)) return keepList(value, budget);
  if (typeof value === 'object' && value !== null) return keepObject(value, budget);
  budget.leftBytes -= numberBytes;
  return value;
}

function keepText(value: string, budget: Budget): string {
  const text = cutText(value);
  const bytes = Buffer.byteLength(JSON.stringify(text)) + 1;
  const isKept = bytes <= budget.leftBytes;
  budget.leftBytes -= isKept ? bytes : ellipsisBytes + 3;
  return isKept ? text : ellipsis;
}

function keepList(items: readonly Json[], budget: Budget): Json[] {
  const kept: Json[] = [];
  budget.leftBytes -= 3;
  for (const item of items) {
    if (isExhausted(budget)) return [...kept, ellipsis];
    kept.push(keep(item, budget));
  }
  return kept;
}

function keepObject(fields: Readonly<Record<string, Json>>, budget: Budget): Record<string, Json> {
  const kept: [string, Json][] = [];
  budget.leftBytes -= 3;
  for (const [key, value] of Object.entries(fields)) {
    if (isExhausted(budget)) {
      kept.push([ellipsis, ellipsis]);
      break;
    }
    budget.leftBytes -= Buffer.byteLength(JSON.stringify(key)) + 1;
    kept.push([key, keep(value, budget)]);
  }
  return Object.fromEntries(kept);
}

function isExhausted({ leftBytes }: Budget): boolean {
  return leftBytes <= 0;
}

/** Those who call an action continuously that people call now and then. */
const continuousCallers: ReadonlySet<Actor['actor']> = new Set(['Device', 'ClusterNode', 'System']);

/** Whether a call of an action by this actor gets a row in the audit log. */
export function isRecordedCall({ audit }: Pick<ActionDefinition, 'audit'>, { actor }: Actor): boolean {
  return audit === 'recorded' || (audit === 'people' && !continuousCallers.has(actor));
}
