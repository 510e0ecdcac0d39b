import { setTimeout as delay } from 'node:timers/promises';
import { events, type Actor } from '@corral/contract';
import { newDatedRawId } from '../auth/random.ts';
import type { Database } from '../platform/db/connect.ts';
import type { CommittedEvent } from '../platform/events/bus.ts';
import { auditData } from './audit-data.ts';
import {
  closeAction,
  finishAction,
  openAction,
  type NumberedEvent,
  type OpenAction,
  type Opening,
} from './audit-trail.ts';
import {
  contextOf,
  prepareHandler,
  rawNodeId,
  runHandler,
  type Call,
  type Context,
  type Parts,
} from './call.ts';
import { failureOf, pauseBeforeRetry, statusOf } from './failures.ts';
import { Refusal } from './Refusal.ts';

/** Runs a command: opens its audit row, runs its handler in a transaction, and records how it ended. */
export async function runCommand(call: Call): Promise<unknown> {
  const { parts, caller, name, isRecorded, input } = call;
  const now = parts.now();
  if (!isRecorded) return transact(call);
  const opening = {
    actor: caller.actor,
    name,
    data: auditData(input),
    now,
    nodeId: rawNodeId(parts),
    count: parts.recordedRows.begin(caller, name, now),
  };
  if (isAnonymousCall(call)) return runAnonymously(call, opening);
  // The row exists before the command acts, and before it takes a connection for its transaction.
  const open = await openCounted(parts, opening);
  try {
    return await transact(call, async () => open);
  } catch (error) {
    await closeFailed(call, open, error);
    throw error;
  }
}

/** The row of an anonymous call is written together with its outcome: most are refused, and of many refusals only the first gets a row. */
async function runAnonymously(call: Call, opening: Opening): Promise<unknown> {
  const { parts, caller } = call;
  try {
    return await transact(call, (tx) => openAction(tx, opening));
  } catch (error) {
    const isKept = failureOf(error, '').kind === 'Internal' || parts.refusals.count(caller.origin.ip);
    if (isKept) await closeFailed(call, await openAction(parts.openingDb, opening), error);
    throw error;
  }
}

/** Opens the row of a command, and learns whether its caller has reached the quota of rows. */
async function openCounted({ openingDb, recordedRows }: Parts, opening: Opening): Promise<OpenAction> {
  const opened = await openAction(openingDb, opening);
  const { count, now } = opening;
  if (count !== undefined) recordedRows.note(count, opened.fullUntil, now);
  return opened;
}

function isAnonymousCall({ caller: { actor }, handler }: Call): boolean {
  return actor.actor === 'Anonymous' || (actor.actor === 'System' && handler.isForAnonymous === true);
}

/** Runs the handler in a transaction, or without one if it needs none; again after a serialization failure or a deadlock. */
async function transact(call: Call, openRow?: (tx: Database) => Promise<OpenAction>): Promise<unknown> {
  const { parts, caller, handler } = call;
  const prepared = await prepareHandler(call);
  const isAtomic = openRow === undefined && handler.isOneStatement?.(prepared as never) === true;
  const work = async (tx: Database): Promise<TransactionResult> => {
    const emittedEvents: CommittedEvent[] = [];
    const emit = emitInto(emittedEvents, caller.actor, parts.now());
    const answer = await runHandler(handler, contextOf(call, { tx, emit }), prepared);
    const status = answer instanceof Refusal ? statusOf(answer.error) : 'Succeeded';
    const recorded = emittedEvents.flatMap(numbered);
    if (isAtomic && recorded.length > 0) throw new Error('A logged event needs a transaction.');
    const open = await openRow?.(tx);
    if (open !== undefined || recorded.length > 0) await finishAction(tx, { open, recorded, status });
    return { answer, emittedEvents };
  };
  const run = () => (isAtomic ? work(parts.db) : parts.db.transaction().execute(work));
  // Slow preparations, such as the verification of an asset, are not limited: they hold no connection to the database.
  const runLimited = isAtomic && handler.isBulk === true ? run : () => parts.commandLimiter.run(caller, run);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { answer, emittedEvents } = await runLimited();
      if (emittedEvents.length > 0) parts.afterCommit(emittedEvents);
      parts.recordedRows.add(caller, emittedEvents);
      return answer;
    } catch (error) {
      const pauseMs = pauseBeforeRetry(error, attempt);
      if (pauseMs === undefined) throw error;
      if (pauseMs > 0) await delay(pauseMs);
    }
  }
}

/** The answer of a command and the events that its transaction recorded. */
interface TransactionResult {
  readonly answer: unknown;
  readonly emittedEvents: readonly CommittedEvent[];
}

function numbered({ event, outboxId }: CommittedEvent): NumberedEvent[] {
  return outboxId === undefined ? [] : [{ eventId: outboxId, event }];
}

/** Each event of an action is a microsecond later than the one before, so that the log keeps their order. */
function microsecondsAfter(now: Date, count: number): string {
  return now.toISOString().replace('Z', `${String(Math.min(count, 999)).padStart(3, '0')}Z`);
}

function emitInto(emittedEvents: CommittedEvent[], actor: Actor, now: Date): Context['emit'] {
  return (name, data) => {
    const outboxId = events[name].persistence === 'log' ? newDatedRawId(now) : undefined;
    const at = microsecondsAfter(now, emittedEvents.length);
    emittedEvents.push({ event: { name, data, actor, at }, outboxId });
    return { eventId: outboxId, at };
  };
}

/** Tries to record the outcome of a failed command; the clean-up of the cluster closes rows that stay Pending. */
async function closeFailed({ parts }: Call, open: OpenAction, error: unknown): Promise<void> {
  try {
    await closeAction(parts.db, open, statusOf(failureOf(error, '')));
  } catch (closeError) {
    parts.log.error(
      { err: closeError, actionId: open.actionId },
      'the audit row of a failed command could not be closed',
    );
  }
}
