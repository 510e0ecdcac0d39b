import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ActionDefinition,
  ActionError,
  type ActionName,
  actionNamed,
  actions,
  type Actor,
  type CallInput,
  hubOnlyNames,
  type Id,
  isNewerName,
  type Output,
  parseInput,
} from '@corral/contract';
import type { Kysely } from 'kysely';
import type { CiIssuers } from '../auth/ci/ci-issuers.ts';
import type { Storages } from '../domains/assets/storage/storages.ts';
import type { Database } from '../platform/db/connect.ts';
import type { Tables } from '../platform/db/tables.ts';
import type { CommittedEvent } from '../platform/events/bus.ts';
import type { LogFields } from '../platform/log/log-fields.ts';
import type { Outgoing } from '../platform/outgoing/open-outgoing.ts';
import type { Vault } from '../platform/vault/vault.ts';
import { AnonymousRefusals, RecordedRows, ReportAnonymousRefusals } from './audit-limits.ts';
import { isRecordedCall } from './audit.ts';
import { FailureLog, failureOf, Refusal, toNewerError } from './failures.ts';
import {
  type AnyHandler,
  type CallOrigin,
  type HubCaller,
  type Internal,
  type InternalRunner,
  type Origins,
  type RegistrationRules,
  type SendTestMail,
  type SettingDefinitions,
  systemCaller,
} from './handler.ts';
import {
  type Call,
  contextOf,
  emitNothing,
  type Parts,
  prepareHandler,
  runCommand,
  runHandler,
} from './stages.ts';
import { isSearch, Turns } from './turns.ts';

/** Who calls, and from where. */
export interface Caller {
  readonly actor: Actor;
  readonly origin: CallOrigin;
  /** Set where the hub itself asks what the actor may: such a query does not wait for others of the actor. */
  readonly isOfHub?: boolean;
}

/** Runs actions. Every entry point of the hub uses it; rejections are `ActionError`s. */
export interface Executor extends InternalRunner {
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
  /** By default none is allowed. */
  readonly ciIssuers?: CiIssuers;
  /** By default nothing can be reached. */
  readonly outgoing?: Pick<Outgoing, 'fetch'>;
  readonly vault: Vault;
  readonly storages: Storages;
  /** Complete once the hub listens; by default those of a hub on loopback. */
  readonly origins?: () => Origins;
  readonly measure?: (name: string, outcome: string, seconds: number) => void;
}

/** An internal function, whatever its input. */
type AnyInternal = Omit<AnyHandler, 'authorize'> &
  Pick<Internal<never, never>, 'name' | 'isQuery' | 'isRecorded'>;

/** Creates the executor. Every action goes through the same stages: parse, open the audit row, authorize, run, emit events. */
export function createExecutor(outer: ExecutorParts): StoppableExecutor {
  const refusals = new AnonymousRefusals({
    nowMs: () => parts.now().getTime(),
    async report(remoteAddress, attempts) {
      const report = runInternal(parts, systemCaller, ReportAnonymousRefusals, { remoteAddress, attempts });
      await report.catch((error: unknown) =>
        outer.log.error({ err: error }, 'refused calls could not be recorded'),
      );
    },
  });
  const parts: Parts = {
    ...outer,
    refusals,
    recordedRows: new RecordedRows(),
    turns: new Turns(outer.db),
    failureLog: new FailureLog(outer.log, () => performance.now()),
  };
  return {
    invoke: async (caller, name, input) => (await execute(parts, caller, name, input)) as never,
    execute: (caller, name, input) => execute(parts, caller, name, input),
    run: async (caller, internal, ...[input]) => (await runInternal(parts, caller, internal, input)) as never,
    stop: () => refusals.stop(),
  };
}

async function execute(parts: Parts, caller: Caller, name: string, input: unknown): Promise<unknown> {
  const action = actionNamed(name);
  const handler = action === undefined ? undefined : parts.handlers[action];
  if (action === undefined || handler === undefined) throw hubOnlyNames.has(name) ? ofHub(caller) : unknown();
  const startedAt = performance.now();
  try {
    return await measured(parts, action, () => perform(parts, caller, action, handler, input));
  } catch (error) {
    const stepMs = handler.refusedAfterMs;
    if (stepMs !== undefined) await delay(stepMs - ((performance.now() - startedAt) % stepMs));
    throw isNewerName(name) ? toNewerError(error) : error;
  }
}

const unknown = (): ActionError => new ActionError('UnknownAction', 'There is no action of this name.');

function ofHub({ actor }: Caller): ActionError {
  return actor.actor === 'Anonymous'
    ? new ActionError('NotSignedIn', 'Not logged in.')
    : new ActionError('Forbidden', 'Only the hub itself may do this.');
}

async function perform(
  parts: Parts,
  caller: Caller,
  name: ActionName,
  handler: AnyHandler,
  input: unknown,
): Promise<unknown> {
  const definition: ActionDefinition = actions[name];
  const { kind } = definition;
  mustBeStorable(input);
  const parsed = parseInput(definition.input, input);
  const isRecorded = isRecordedCall(definition, caller.actor);
  const call: Call = { parts, caller, name, kind, isRecorded, handler, input: parsed };
  return kind === 'query' ? runQuery(call) : runCommand(call);
}

function runInternal(
  parts: Parts,
  caller: HubCaller,
  internal: AnyInternal,
  input: unknown,
): Promise<unknown> {
  const { name, isQuery = false, isRecorded = false } = internal;
  const handler: AnyHandler = { ...internal, authorize: (_, prepared) => prepared };
  const kind = isQuery ? 'query' : 'command';
  const call: Call = { parts, caller, name, kind, isRecorded, handler, input };
  return measured(parts, name, async () =>
    isQuery ? query(call, parts.db, await prepareHandler(call)) : runCommand(call),
  );
}

/** Runs what was called, and turns what it throws into an `ActionError`. */
async function measured(parts: Parts, name: string, run: () => Promise<unknown>): Promise<unknown> {
  const startedAt = performance.now();
  const measure = (outcome: string) => parts.measure?.(name, outcome, (performance.now() - startedAt) / 1000);
  try {
    const output = await run();
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

/** Searches have turns of their own, so that a slow one does not hold up the other queries of its caller. */
async function runQuery(call: Call): Promise<unknown> {
  const { parts, caller, input } = call;
  if (isSearch(input)) {
    const prepared = await prepareHandler(call);
    return parts.turns.search(caller, (db) => query(call, db, prepared));
  }
  return parts.turns.query(caller, async () => query(call, parts.db, await prepareHandler(call)));
}

function query(call: Call, db: Database, prepared: unknown): Promise<unknown> {
  return runHandler(call.handler, contextOf(call, { tx: db, emit: emitNothing }), prepared);
}

const maxDepth = 32;
/** Keys with a meaning in JavaScript objects; a schema would drop them silently. */
const refusedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor']);

/** Refuses, with kind Invalid, an input that is nested too deeply, contains text that PostgreSQL cannot store, or uses a forbidden key. */
function mustBeStorable(input: unknown, depth = 0): void {
  if (typeof input === 'string') return mustBeText(input);
  if (typeof input !== 'object' || input === null) return;
  if (depth === maxDepth)
    throw new ActionError('Invalid', `The input may be nested at most ${maxDepth} levels deep.`);
  for (const [key, value] of Object.entries(input)) {
    mustBeText(key);
    if (refusedKeys.has(key)) throw new ActionError('Invalid', `The input may not use ${key} as a key.`);
    mustBeStorable(value, depth + 1);
  }
}

function mustBeText(text: string): void {
  if (text.includes('\0') || !text.isWellFormed())
    throw new ActionError(
      'Invalid',
      'The input may hold no NUL characters and no halves of surrogate pairs.',
    );
}
