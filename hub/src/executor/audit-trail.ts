import type {
  ActionName,
  Actor,
  AuditLogActionStatus,
  DomainEvent,
  EntityKind,
  Json,
} from '@corral/contract';
import { ActionError, events, ids } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { newDatedRawId } from '../auth/random.ts';
import { batch, batchBy } from '../db/batch.ts';
import type { Database } from '../db/connect.ts';
import { thenCommit } from '../db/PipelinedConnection.ts';
import { planOnce } from '../db/plan-once.ts';
import { quotaSql } from '../db/quota-sql.ts';
import { bounded } from './audit-bounds.ts';

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
  readonly name: ActionName;
  readonly data: Record<string, Json>;
  readonly now: Date;
  readonly nodeId: string | undefined;
  /** Rows to be counted; undefined for callers who are not limited. */
  readonly count?: RowCount | undefined;
}

/** The outcome of a command that was rolled back. */
interface Closing {
  readonly open: OpenAction;
  readonly status: AuditLogActionStatus;
}

/** Inserts the opening row of a command, before the action and outside its transaction. Commands that begin at the same time share a statement. */
export const openAction = batch(openActions);

/** Inserts the row of a command in a transaction that ends it. */
export async function openActionIn(tx: Database, opening: Opening): Promise<OpenAction> {
  const [opened] = await openActions(tx, [opening]);
  if (opened === undefined) throw new Error('The row of the command was not inserted.');
  return opened;
}

async function openActions(db: Database, openings: readonly Opening[]): Promise<OpenAction[]> {
  const opened = openings.map(({ now }) => newDatedRawId(now));
  const { rows } = await sql<FullCount>`
    with opening as (
      select * from unnest(
        ${opened}::text[], ${openings.map(({ actor }) => JSON.stringify(actor))}::jsonb[],
        ${openings.map(({ name }) => name)}::text[], ${openings.map(({ data }) => JSON.stringify(data))}::jsonb[],
        ${openings.map(({ nodeId }) => nodeId ?? null)}::text[], ${openings.map(({ now }) => now.toISOString())}::timestamptz[],
        ${openings.map(({ count }) => count?.subject ?? null)}::text[], ${openings.map(({ count }) => count?.rows ?? 0)}::integer[]
      ) as o(action_id, actor, action, data, node_id, at, subject, rows)
    ),
    written as (
      insert into audit_actions (action_id, actor, action, data, status, node_id, created_at)
        select action_id, actor, action, data, 'Pending', node_id, at from opening
    ),
    counted as (
      insert into request_counts as c (subject, requests, window_ends_at)
        select subject, sum(rows), max(at) + interval '1 hour' from opening where subject is not null group by subject order by subject
      on conflict (subject) do update set (requests, window_ends_at) = (
        select case when isOver then excluded.requests else c.requests + excluded.requests end,
          case when isOver then excluded.window_ends_at else c.window_ends_at end
        from (select c.window_ends_at <= excluded.window_ends_at - interval '1 hour' as isOver) as before)
      returning subject, requests, window_ends_at
    )
    select subject, window_ends_at as "endsAt" from counted where requests > ${quotaSql('recordedRowsPerHour')}`.execute(
    db,
  );
  const full = new Map(rows.map(({ subject, endsAt }) => [subject, new Date(endsAt)]));
  return opened.map((actionId, index) => ({
    actionId,
    fullUntil: full.get(openings[index]?.count?.subject ?? ''),
  }));
}

interface FullCount {
  readonly subject: string;
  readonly endsAt: string;
}

const statusKey = ({ status }: { readonly status: AuditLogActionStatus }): string => status;

/**
 * Ends these rows, except those that have ended. `is true` hides the condition from the planner: the indexes of pending rows keep entries of all that ended since the last
 * vacuum, and a search there takes longer with each.
 */
function endActions(opened: readonly OpenAction[], status: AuditLogActionStatus) {
  const actionIds = opened.map(({ actionId }) => actionId);
  return sql`update audit_actions set status = ${status}
    where action_id = any(${planOnce(actionIds, 'text')}) and (status = 'Pending') is true`;
}

/** Sets the outcome of a command that was rolled back. Commands that end at the same time in the same way share a statement. */
export const closeAction = batchBy(statusKey, closeActions);

async function closeActions(db: Database, closings: readonly Closing[]): Promise<void[]> {
  const [{ status }] = closings as [Closing];
  await endActions(
    closings.map(({ open }) => open),
    status,
  ).execute(db);
  return closings.map(() => undefined);
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
export interface Ending {
  readonly open: OpenAction | undefined;
  readonly recorded: readonly NumberedEvent[];
  readonly status: AuditLogActionStatus;
}

/**
 * Writes the events of a command, their entities, the outbox rows and the outcome, in one statement of the transaction of the command, unless it has more than 1,000 events. Commands that share
 * a transaction and end in the same way share the statement. Rejects with NotReady when another node has closed the row, as it does for a node whose lease has ended.
 */
export const finishAction = batchBy(statusKey, async (tx: Database, endings: readonly Ending[]) => {
  await writeEndings(tx, endings);
  return endings.map((): void => undefined);
});

/** The same as the last statement of a transaction, which is committed with it. */
export function finishLastAction(tx: Database, ending: Ending): Promise<void> {
  return writeEndings(tx, [ending], thenCommit);
}

/** PostgreSQL's code for a division by zero. */
const divisionByZero = '22012';

/** Events that a statement writes: the JSON of more would hold the event loop. */
const eventsAtOnce = 1000;

interface WrittenEvent extends NumberedEvent {
  readonly actionId: string | undefined;
}

/** The parts of a `with` that insert events, their entities and the outbox rows. */
function insertsOf(written: readonly WrittenEvent[]): RawBuilder<unknown> {
  const rows = written.map(({ eventId, event, actionId }) => ({
    eventId,
    ...event,
    shown: bounded(event.data),
    actionId,
  }));
  const entities = written.flatMap(entitiesOf);
  return sql`entry as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as e("eventId" text, name text, data jsonb, shown jsonb, actor jsonb, at timestamptz, "actionId" text)
    ),
    logged as (
      insert into audit_events (event_id, actor, event, data, action_id, created_at)
        select "eventId", actor, name, shown, "actionId", at from entry
    ),
    attached as (
      insert into audit_event_entities (entity_kind, entity_id, created_at, event_id)
        select kind, id, at, "eventId" from jsonb_to_recordset(${JSON.stringify(entities)}::jsonb)
          as t(kind text, id text, at timestamptz, "eventId" text) on conflict do nothing
    ),
    left_for_dispatch as (
      insert into event_outbox (event_id, event, created_at)
        select "eventId", jsonb_build_object('name', name, 'data', data, 'actor', actor, 'at', at), at from entry
    )`;
}

async function writeEndings(tx: Database, endings: readonly Ending[], comment = ''): Promise<void> {
  const written = endings.flatMap(({ open, recorded }) =>
    recorded.map((one) => ({ ...one, actionId: open?.actionId })),
  );
  while (written.length > eventsAtOnce)
    await sql`with ${insertsOf(written.splice(0, eventsAtOnce))} select 1`.execute(tx);
  const closed = endings.flatMap(({ open }) => open ?? []);
  const [{ status }] = endings as [Ending];
  // The division fails, and with it the transaction, unless all rows were closed.
  const statement = sql`
    with done as (${endActions(closed, status)} returning 1),
    ${insertsOf(written)}
    select 1 / (count(*) = ${closed.length})::int from done ${sql.raw(comment)}`;
  await statement.execute(tx).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== divisionByZero) throw error;
    throw new ActionError('NotReady', 'The hub was cut off from its database. Try again in a moment.', {
      retryAfterSecs: 1,
    });
  });
}
