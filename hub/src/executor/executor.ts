import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  ActionError,
  actionNamed,
  actions,
  events,
  ids,
  isNewerName,
  parseInput,
  type ActionDefinition,
  type ActionName,
  type Actor,
  type CallInput,
  type Id,
  type Output,
} from '@corral/contract';
import type { Kysely } from 'kysely';
import type { Storages } from '../assets/storages.ts';
import { newDatedRawId } from '../auth/random.ts';
import type { Vault } from '../auth/vault.ts';
import type { Database } from '../db/connect.ts';
import type { Tables } from '../db/tables.ts';
import type { CommittedEvent } from '../events/bus.ts';
import { auditData } from './audit-data.ts';
import { AnonymousRefusals } from './anonymous-refusals.ts';
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
import { CommandLimiter } from './command-limiter.ts';
import { FailureLog } from './FailureLog.ts';
import { toNewerError, failureOf, pauseBeforeRetry, statusOf } from './failures.ts';
import type {
  AnyHandler,
  CallOrigin,
  HandlerContext,
  Origins,
  RegistrationRules,
  SendTestMail,
  SettingDefinitions,
} from './handler.ts';
import { mustBeStorable } from './input-limits.ts';
import { isRecordedCall } from './is-recorded-call.ts';
import { Refusal } from './Refusal.ts';
import { createSearches, isSearch, type Searches } from './searches.ts';
import { createSharedTransactions, type SharedTransactions } from './shared-transactions.ts';
import { mustBeWithinToken } from './token-bounds.ts';
import { systemCaller } from './system-caller.ts';
import type { LogFields } from '../log/log-fields.ts';

/** Who calls, and from where. */
export interface Caller {
  readonly actor: Actor;
  readonly origin: CallOrigin;
}

/** Runs actions. Every entry point of the hub uses it; rejections are `ActionError`s. */
export interface Executor {
  /** Runs an action whose name and input are known to the compiler. */
  invoke<Name extends ActionName>(caller: Caller, name: Name, input: CallInput<Name>): Promise<Output<Name>>;
  /** Runs an action by a name and an input from the wire. */
  execute(caller: Caller, name: string, input: unknown): Promise<unknown>;
}

/** The executor of a hub, which ends with it. */
export interface StoppableExecutor extends Executor {
  /** Records the refused anonymous calls that were only counted; to be called when the hub takes no more calls. */
  stop(): Promise<void>;
}

/** Dependencies of the executor. */
export interface ExecutorParts {
  readonly handlers: Readonly<Partial<Record<ActionName, AnyHandler>>>;
  readonly db: Kysely<Tables>;
  /** A pool with synchronous_commit=off, for opening rows; the command's later commit makes them durable. */
  readonly openingDb: Kysely<Tables>;
  readonly now: () => Date;
  /** This node, once it has joined the cluster. Opening rows name it, so that another node can close them after a crash. */
  readonly nodeId: () => Id<'clusterNode'> | undefined;
  /** Called with the events of a committed action, in order; logged events carry the id of their outbox row. */
  readonly afterCommit: (emittedEvents: readonly CommittedEvent[]) => void;
  readonly log: { error(fields: LogFields, message: string): void };
  /** By default registration is open and does not conceal existing accounts. */
  readonly registration?: () => RegistrationRules;
  /** By default there are none. */
  readonly settings?: SettingDefinitions;
  /** By default no e-mail can be sent. */
  readonly sendTestMail?: SendTestMail;
  readonly vault: Vault;
  readonly storages: Storages;
  /** Complete once the hub listens; by default those of a hub on loopback. */
  readonly origins?: () => Origins;
  readonly measure?: (name: ActionName, outcome: string, seconds: number) => void;
  /** How long one statement of a search may take; by default 5,000 milliseconds. */
  readonly searchTimeoutMs?: number;
}

interface Parts extends ExecutorParts {
  readonly refusals: AnonymousRefusals;
  readonly shared: SharedTransactions;
  readonly searches: Searches;
  readonly commandLimiter: CommandLimiter;
  readonly failureLog: FailureLog;
}

const openRegistration: RegistrationRules = { isOpen: true, concealsExisting: false };
const sendNothing: SendTestMail = async () => ({ isSent: false, message: 'This hub sends no e-mails.' });
const loopbackOrigins: Origins = {
  console: 'http://localhost:8080',
  proxyDomain: 'proxy.localhost',
  proxyOf: (label) => `http://${label}.proxy.localhost:8080`,
};

/** Creates the executor. Every action goes through the same stages: parse, open the audit row, authorize, run, emit events. */
export function createExecutor(outer: ExecutorParts): StoppableExecutor {
  const refusals = new AnonymousRefusals({
    nowMs: () => parts.now().getTime(),
    async report(remoteAddress, attempts) {
      const report = execute(parts, systemCaller, 'cluster_ReportAnonymousRefusals', {
        remoteAddress,
        attempts,
      });
      await report.catch((error: unknown) =>
        outer.log.error({ err: error }, 'refused calls could not be recorded'),
      );
    },
  });
  const shared = createSharedTransactions(outer.db);
  const parts: Parts = {
    ...outer,
    refusals,
    shared,
    searches: createSearches(outer.db, outer.searchTimeoutMs),
    commandLimiter: new CommandLimiter(),
    failureLog: new FailureLog(outer.log, () => performance.now()),
  };
  return {
    invoke: async (caller, name, input) => (await execute(parts, caller, name, input)) as never,
    execute: (caller, name, input) => execute(parts, caller, name, input),
    stop: () => refusals.stop(),
  };
}

async function execute(parts: Parts, caller: Caller, name: string, input: unknown): Promise<unknown> {
  const action = actionNamed(name);
  const handler = action === undefined ? undefined : parts.handlers[action];
  if (action === undefined || handler === undefined)
    throw new ActionError('UnknownAction', 'There is no action of this name.');
  try {
    return await perform(parts, caller, action, handler, input);
  } catch (error) {
    throw isNewerName(name) ? toNewerError(error) : error;
  }
}

async function perform(
  parts: Parts,
  caller: Caller,
  name: ActionName,
  handler: AnyHandler,
  input: unknown,
): Promise<unknown> {
  const startedAt = performance.now();
  const measure = (outcome: string) => parts.measure?.(name, outcome, (performance.now() - startedAt) / 1000);
  try {
    const definition: ActionDefinition = actions[name];
    mustBeStorable(input);
    const parsed = parseInput(definition.input, input);
    const output = await (definition.kind === 'query'
      ? runQuery(parts, caller, handler, parsed, name)
      : runCommand(parts, caller, handler, parsed, name, definition));
    if (output instanceof Refusal) throw output.error;
    measure('Ok');
    return output;
  } catch (error) {
    const failure = failureOf(error, randomUUID());
    parts.failureLog.write(name, failure);
    measure(failure.kind);
    throw failure;
  }
}

type Context = HandlerContext<ActionName>;

function contextOf(
  parts: Parts,
  caller: Caller,
  input: unknown,
  rest: Pick<Context, 'tx' | 'emit'>,
): Context {
  const { actor, origin } = caller;
  const registration = parts.registration?.() ?? openRegistration;
  const nodeId = parts.nodeId();
  const origins = parts.origins?.() ?? loopbackOrigins;
  return {
    input: input as never,
    actor,
    origin,
    db: parts.db,
    now: parts.now(),
    nodeId: nodeId && ids.clusterNode.raw(nodeId),
    registration,
    origins,
    settings: parts.settings ?? new Map(),
    sendTestMail: parts.sendTestMail ?? sendNothing,
    vault: parts.vault,
    storages: parts.storages,
    ...rest,
  };
}

async function runHandler(
  handler: AnyHandler,
  context: Context,
  prepared: unknown,
  opening?: Promise<OpenAction>,
): Promise<unknown> {
  const access = await handler.authorize(context as never, prepared as never);
  await opening;
  return handler.run(context as never, access as never);
}

function emitNothing(): never {
  throw new Error('Only commands emit events, in their transaction.');
}

/** Slow work runs before the transaction begins, so that it holds no database connection; the bounds of a user token come before it. */
async function prepareHandler(
  parts: Parts,
  caller: Caller,
  handler: AnyHandler,
  input: unknown,
  name: ActionName,
): Promise<unknown> {
  await mustBeWithinToken(parts.db, caller, { name, kind: actions[name].kind, now: parts.now() });
  return handler.prepare?.(contextOf(parts, caller, input, { tx: parts.db, emit: emitNothing }) as never);
}

async function runQuery(
  parts: Parts,
  caller: Caller,
  handler: AnyHandler,
  input: unknown,
  name: ActionName,
): Promise<unknown> {
  const prepared = await prepareHandler(parts, caller, handler, input, name);
  const query = (db: Database) =>
    runHandler(handler, contextOf(parts, caller, input, { tx: db, emit: emitNothing }), prepared);
  return isSearch(input) ? parts.searches.run(caller, query) : query(parts.db);
}

async function runCommand(
  parts: Parts,
  caller: Caller,
  handler: AnyHandler,
  input: unknown,
  name: ActionName,
  definition: ActionDefinition,
): Promise<unknown> {
  const nodeId = parts.nodeId();
  const opening = {
    actor: caller.actor,
    name,
    data: auditData(input),
    now: parts.now(),
    nodeId: nodeId && ids.clusterNode.raw(nodeId),
  };
  const isRecorded = isRecordedCall(definition, caller.actor);
  const isAnonymous = isAnonymousCall(caller, handler);
  const open = isRecorded && !isAnonymous ? openAction(parts.openingDb, opening) : undefined;
  open?.catch(() => undefined);
  try {
    // The row exists before the command acts. A call with a transaction of its own waits for it here, before it takes a connection; one that shares a transaction waits in `runHandler`.
    if (handler.sharesTransaction !== true) await open;
    const openInTransaction =
      isRecorded && isAnonymous ? (tx: Database) => openActionIn(tx, opening) : undefined;
    return await transact(parts, caller, handler, input, name, open ?? openInTransaction);
  } catch (error) {
    const opened = await open?.catch(() => undefined);
    if (opened !== undefined) await closeFailed(parts, opened, error);
    else if (isRecorded && isAnonymous) await recordAnonymousRefusal(parts, caller, opening, error);
    throw error;
  }
}

function isAnonymousCall({ actor }: Caller, handler: AnyHandler): boolean {
  return actor.actor === 'Anonymous' || (actor.actor === 'System' && handler.isForAnonymous === true);
}

/** The row of an anonymous call is written together with its outcome: most are refused, and of many refusals only the first gets a row. */
async function recordAnonymousRefusal(
  parts: Parts,
  caller: Caller,
  opening: Opening,
  error: unknown,
): Promise<void> {
  const { kind } = failureOf(error, '');
  const isKept = kind === 'Internal' || parts.refusals.count(caller.origin.ip);
  if (isKept) await closeFailed(parts, await openAction(parts.openingDb, opening), error);
}

async function transact(
  parts: Parts,
  caller: Caller,
  handler: AnyHandler,
  input: unknown,
  name: ActionName,
  opened: Promise<OpenAction> | ((tx: Database) => Promise<OpenAction>) | undefined,
): Promise<unknown> {
  const prepared = await prepareHandler(parts, caller, handler, input, name);
  const isAtomic = opened === undefined && handler.isOneStatement?.(prepared as never) === true;
  const work = async (tx: Database, finish = finishAction): Promise<TransactionResult> => {
    const emittedEvents: CommittedEvent[] = [];
    const emit = emitInto(emittedEvents, caller.actor, parts.now());
    const opening = typeof opened === 'function' ? undefined : opened;
    const context = contextOf(parts, caller, input, { tx, emit });
    const answer = await runHandler(handler, context, prepared, opening);
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
  const runLimited = () => parts.commandLimiter.run(caller, runAlone);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { answer, emittedEvents } = await (handler.sharesTransaction === true && attempt === 1
        ? parts.shared.run(name, work, runLimited)
        : runLimited());
      if (emittedEvents.length > 0) parts.afterCommit(emittedEvents);
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
async function closeFailed(parts: Parts, open: OpenAction, error: unknown): Promise<void> {
  try {
    await closeAction(parts.db, { open, status: statusOf(failureOf(error, '')) });
  } catch (closeError) {
    parts.log.error(
      { err: closeError, actionId: open.actionId },
      'the audit row of a failed command could not be closed',
    );
  }
}
