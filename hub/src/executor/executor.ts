import { randomUUID } from 'node:crypto';
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
import { newDatedRawId } from '../auth/random.ts';
import type { Vault } from '../auth/vault.ts';
import type { Database } from '../db/connect.ts';
import type { Tables } from '../db/tables.ts';
import type { CommittedEvent } from '../events/bus.ts';
import { auditData } from './audit-data.ts';
import { closeAction, finishAction, openAction, type NumberedEvent, type OpenAction } from './audit-trail.ts';
import { asNewer, failureOf, isConflict, statusOf } from './failures.ts';
import type { AnyHandler, CallOrigin, HandlerContext, Origins, RegistrationRules } from './handler.ts';
import { mustBeStorable } from './input-limits.ts';
import { Refusal } from './Refusal.ts';

/** Who calls, and from where. */
export interface Caller {
  readonly actor: Actor;
  readonly origin: CallOrigin;
}

/** The one verb of the hub: every door runs actions through it. Failures are `ActionError`s. */
export interface Executor {
  /** Runs an action whose name and input are known to the compiler. */
  invoke<Name extends ActionName>(caller: Caller, name: Name, input: CallInput<Name>): Promise<Output<Name>>;
  /** Runs an action by whatever name and input came over the wire. */
  execute(caller: Caller, name: string, input: unknown): Promise<unknown>;
}

/** What the executor is built from. */
export interface ExecutorParts {
  readonly handlers: Readonly<Partial<Record<ActionName, AnyHandler>>>;
  readonly db: Kysely<Tables>;
  /** A pool that need not flush: the opening rows of commands are vouched for by the flush of the deed. */
  readonly openingDb: Kysely<Tables>;
  readonly now: () => Date;
  /** This node, once it has joined the cluster: by it, its unfinished commands are found when it is gone. */
  readonly nodeId: () => Id<'clusterNode'> | undefined;
  /** Receives the events of a committed action, in order; recorded ones carry the id of their outbox row. */
  readonly afterCommit: (happened: readonly CommittedEvent[]) => void;
  readonly log: { error(fields: object, message: string): void };
  /** Open, and telling what exists, unless said otherwise. */
  readonly registration?: RegistrationRules;
  readonly vault: Vault;
  /** Known in full once the hub listens; those of a hub on loopback unless told. */
  readonly origins?: () => Origins;
  readonly measure?: (name: ActionName, outcome: string, seconds: number) => void;
}

const conflictRetries = 3;
const openRegistration: RegistrationRules = { isOpen: true, concealsExisting: false };
const loopbackOrigins: Origins = {
  console: 'http://localhost:8080',
  proxyDomain: 'proxy.localhost',
  proxyOf: (label) => `http://${label}.proxy.localhost:8080`,
};

/** Builds the executor: parse, authorize, audit, transaction, events, in this order for every action. */
export function createExecutor(parts: ExecutorParts): Executor {
  return {
    invoke: async (caller, name, input) => (await execute(parts, caller, name, input)) as never,
    execute: (caller, name, input) => execute(parts, caller, name, input),
  };
}

async function execute(parts: ExecutorParts, caller: Caller, name: string, input: unknown): Promise<unknown> {
  const action = actionNamed(name);
  if (action === undefined) throw new ActionError('UnknownAction', 'There is no action of this name.');
  const handler = parts.handlers[action];
  if (handler === undefined) throw new ActionError('Invalid', `The action ${name} is not available yet.`);
  try {
    return await perform(parts, caller, action, handler, input);
  } catch (error) {
    throw isNewerName(name) ? asNewer(error) : error;
  }
}

async function perform(
  parts: ExecutorParts,
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
      ? runQuery(parts, caller, handler, parsed)
      : runCommand(parts, caller, handler, parsed, name, definition));
    if (output instanceof Refusal) throw output.error;
    measure('Ok');
    return output;
  } catch (error) {
    const failure = failureOf(error, randomUUID());
    if (failure.kind === 'Internal') {
      parts.log.error(
        { requestId: failure.requestId, action: name, err: failure.cause ?? failure },
        'an action failed',
      );
    }
    measure(failure.kind);
    throw failure;
  }
}

type Context = HandlerContext<ActionName>;

function contextOf(
  parts: ExecutorParts,
  caller: Caller,
  input: unknown,
  rest: Pick<Context, 'tx' | 'emit'>,
): Context {
  const { actor, origin } = caller;
  const registration = parts.registration ?? openRegistration;
  const origins = parts.origins?.() ?? loopbackOrigins;
  return {
    input: input as never,
    actor,
    origin,
    now: parts.now(),
    registration,
    origins,
    vault: parts.vault,
    ...rest,
  };
}

async function runHandler(handler: AnyHandler, context: Context, prepared: unknown): Promise<unknown> {
  const access = await handler.authorize(context as never, prepared as never);
  return handler.run(context as never, access as never);
}

function emitNothing(): never {
  throw new Error('Events are emitted by commands alone, in their transaction.');
}

/** What takes long is done before the transaction begins, so that it keeps no connection of the database waiting. */
async function prepareHandler(
  parts: ExecutorParts,
  caller: Caller,
  handler: AnyHandler,
  input: unknown,
): Promise<unknown> {
  return handler.prepare?.(contextOf(parts, caller, input, { tx: parts.db, emit: emitNothing }) as never);
}

async function runQuery(
  parts: ExecutorParts,
  caller: Caller,
  handler: AnyHandler,
  input: unknown,
): Promise<unknown> {
  const prepared = await prepareHandler(parts, caller, handler, input);
  return runHandler(handler, contextOf(parts, caller, input, { tx: parts.db, emit: emitNothing }), prepared);
}

async function runCommand(
  parts: ExecutorParts,
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
  const open = definition.audit === 'recorded' ? await openAction(parts.openingDb, opening) : undefined;
  try {
    return await transact(parts, caller, handler, input, open);
  } catch (error) {
    if (open !== undefined) await closeFailed(parts, open, error);
    throw error;
  }
}

async function transact(
  parts: ExecutorParts,
  caller: Caller,
  handler: AnyHandler,
  input: unknown,
  open: OpenAction | undefined,
): Promise<unknown> {
  const prepared = await prepareHandler(parts, caller, handler, input);
  const isAtomic = open === undefined && handler.isOneStatement?.(prepared as never) === true;
  for (let attempt = 1; ; attempt += 1) {
    const happened: CommittedEvent[] = [];
    try {
      const output = await within(parts.db, isAtomic, async (tx) => {
        const context = contextOf(parts, caller, input, {
          tx,
          emit: collector(happened, caller.actor, parts.now()),
        });
        const answer = await runHandler(handler, context, prepared);
        const status = answer instanceof Refusal ? statusOf(answer.error) : 'Succeeded';
        const recorded = happened.flatMap(numbered);
        if (isAtomic && recorded.length > 0) throw new Error('An event that is kept needs a transaction.');
        await finishAction(tx, open, recorded, status);
        return answer;
      });
      if (happened.length > 0) parts.afterCommit(happened);
      return output;
    } catch (error) {
      if (!isConflict(error) || attempt > conflictRetries) throw error;
    }
  }
}

/** Runs the deed in a transaction, or where it is atomic as it is without the two round trips of one. */
function within(db: Database, isAtomic: boolean, deed: (tx: Database) => Promise<unknown>): Promise<unknown> {
  return isAtomic ? deed(db) : db.transaction().execute(deed);
}

function numbered({ event, outboxId }: CommittedEvent): NumberedEvent[] {
  return outboxId === undefined ? [] : [{ eventId: outboxId, event }];
}

/** The events of one action follow each other by a microsecond, so that the log keeps their order. */
function microsecondsAfter(now: Date, count: number): string {
  return now.toISOString().replace('Z', `${String(Math.min(count, 999)).padStart(3, '0')}Z`);
}

function collector(happened: CommittedEvent[], actor: Actor, now: Date): Context['emit'] {
  return (name, data) => {
    const outboxId = events[name].keeping === 'log' ? newDatedRawId(now) : undefined;
    const at = microsecondsAfter(now, happened.length);
    happened.push({ event: { name, data, actor, at }, outboxId });
  };
}

/** The row of a failed command is closed as well as the database allows; a row that stays Pending is closed by the cluster's upkeep. */
async function closeFailed(parts: ExecutorParts, open: OpenAction, error: unknown): Promise<void> {
  try {
    await closeAction(parts.db, open, statusOf(failureOf(error, '')));
  } catch (closeError) {
    parts.log.error(
      { err: closeError, actionId: open.actionId },
      'the audit row of a failed command could not be closed',
    );
  }
}
