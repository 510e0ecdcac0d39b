import { setTimeout as delay } from 'node:timers/promises';
import { events, type Actor } from '@corral/contract';
import { newDatedRawId } from '../auth/random.ts';
import { outsideCalls } from '../concurrency/response-memory.ts';
import type { Database } from '../db/connect.ts';
import type { CommittedEvent } from '../events/bus.ts';
import { auditData } from './audit-data.ts';
import {
  closeAction,
  finishAction,
  finishLastAction,
  openAction,
  openActionIn,
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
import { isRecordedCall } from './is-recorded-call.ts';
import { Refusal } from './Refusal.ts';

/** Runs a command: opens its audit row, runs its handler in a transaction, and records how it ended. */
export async function runCommand(call: Call): Promise<unknown> {
  const { parts, caller, name, definition, input } = call;
  const now = parts.now();
  const isRecorded = isRecordedCall(definition, caller.actor);
  const opening = {
    actor: caller.actor,
    name,
    data: auditData(input),
    now,
    nodeId: rawNodeId(parts),
    count: isRecorded ? parts.recordedRows.begin(caller, name, now) : undefined,
  };
  const isAnonymous = isAnonymousCall(call);
  const open = isRecorded && !isAnonymous ? openCounted(parts, opening) : undefined;
  open?.catch(() => undefined);
  try {
    // The row exists before the command acts. A call with a transaction of its own waits for it here, before it takes a connection; one that shares a transaction waits in `runHandler`.
    if (sharedKey(call) === undefined) await open;
    const openInTransaction =
      isRecorded && isAnonymous ? (tx: Database) => openActionIn(tx, opening) : undefined;
    return await transact(call, open ?? openInTransaction);
  } catch (error) {
    const opened = await open?.catch(() => undefined);
    if (opened !== undefined) await closeFailed(call, opened, error);
    else if (isRecorded && isAnonymous) await recordAnonymousRefusal(call, opening, error);
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

/** The key by which a command shares its transaction; undefined if it has one of its own. */
function sharedKey({ handler: { sharesTransaction }, input }: Call): { readonly key?: string } | undefined {
  if (typeof sharesTransaction !== 'function') return sharesTransaction && {};
  const key = sharesTransaction(input as never);
  return key === undefined ? undefined : { key };
}

function isAnonymousCall({ caller: { actor }, handler }: Call): boolean {
  return actor.actor === 'Anonymous' || (actor.actor === 'System' && handler.isForAnonymous === true);
}

/** The row of an anonymous call is written together with its outcome: most are refused, and of many refusals only the first gets a row. */
async function recordAnonymousRefusal(call: Call, opening: Opening, error: unknown): Promise<void> {
  const { parts, caller } = call;
  const { kind } = failureOf(error, '');
  const isKept = kind === 'Internal' || parts.refusals.count(caller.origin.ip);
  if (isKept) await closeFailed(call, await openAction(parts.openingDb, opening), error);
}

async function transact(
  call: Call,
  opened: Promise<OpenAction> | ((tx: Database) => Promise<OpenAction>) | undefined,
): Promise<unknown> {
  const { parts, caller, name, handler } = call;
  const shared = sharedKey(call);
  const prepared = await prepareHandler(call);
  const isAtomic = opened === undefined && handler.isOneStatement?.(prepared as never) === true;
  const work = async (tx: Database, finish = finishAction, isShared = false): Promise<TransactionResult> => {
    const emittedEvents: CommittedEvent[] = [];
    const emit = emitInto(emittedEvents, caller.actor, parts.now());
    const opening = typeof opened === 'function' ? undefined : opened;
    const context = contextOf(call, { tx, emit });
    const answer = await runHandler(handler, context, prepared, { opening, isShared });
    const status = answer instanceof Refusal ? statusOf(answer.error) : 'Succeeded';
    const recorded = emittedEvents.flatMap(numbered);
    if (isAtomic && recorded.length > 0) throw new Error('A logged event needs a transaction.');
    const open = await (typeof opened === 'function' ? opened(tx) : opening);
    if (open !== undefined || recorded.length > 0) await finish(tx, { open, recorded, status });
    return { answer, emittedEvents };
  };
  const runAlone = (): Promise<TransactionResult> =>
    isAtomic ? work(parts.db) : parts.db.transaction().execute((tx) => work(tx, finishLastAction));
  // Slow preparations, such as the verification of an asset, are not limited: they hold no connection to the database.
  const isBatched = isAtomic && handler.sharesStatement?.(call.input as never) === true;
  const runLimited = () => parts.commandLimiter[isBatched ? 'runShared' : 'run'](caller, runAlone);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { answer, emittedEvents } = await (shared !== undefined && attempt === 1
        ? parts.commandLimiter.runShared(caller, () =>
            parts.shared.run({ name, ...shared }, (tx) => work(tx, finishAction, true), runLimited),
          )
        : runLimited());
      if (emittedEvents.length > 0) outsideCalls(() => parts.afterCommit(emittedEvents));
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
    await closeAction(parts.db, {
      open,
      status: statusOf(failureOf(error, '')),
    });
  } catch (closeError) {
    parts.log.error(
      { err: closeError, actionId: open.actionId },
      'the audit row of a failed command could not be closed',
    );
  }
}
