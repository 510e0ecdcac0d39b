import {
  ActionError,
  type ActionName,
  type Actor,
  type CallInput,
  type DomainEvent,
  type ErrorKind,
  type Id,
  ids,
  type Output,
} from '@corral/contract';
import { newRawId } from '../src/auth/random.ts';
import { type Caller, createExecutor, type Executor, type ExecutorParts } from '../src/calls/executor.ts';
import { type HubCaller, type Internal, type RegistrationRules, systemCaller } from '../src/calls/handler.ts';
import { type Config, loadConfig } from '../src/config/config.ts';
import { instanceSettings } from '../src/config/instance-settings.ts';
import { handlers } from '../src/domains/handlers.ts';
import { freshDatabase, type FreshDatabase } from './fresh-database.ts';
import { storagesOf } from './test-storages.ts';
import { testVault } from './test-vault.ts';

/** The hub's own actor. */
export const system: HubCaller['actor'] = { actor: 'System', kind: 'System' };

/** The actor of an anonymous caller. */
export const anonymous: Actor = { actor: 'Anonymous', kind: 'Anonymous' };

/** The actor of a user's session. */
export function userActor(userId: Id<'user'>): Actor {
  return { actor: 'User', kind: 'User', userId };
}

/** A well-formed id of the kind that no row has. */
export function absentId<Key extends keyof typeof ids>(kind: Key): Id<Key> {
  return ids[kind].of(newRawId()) as Id<Key>;
}

/** A real executor on its own database, with a clock that only `advance` moves. */
export interface FreshExecutor extends AsyncDisposable {
  readonly executor: Executor;
  readonly database: FreshDatabase;
  /** All events that were committed, in order. */
  readonly emittedEvents: DomainEvent[];
  /** Advances the clock. */
  advance(seconds: number): void;
  now(): Date;
  /** Runs an action as an actor, who has just proved who it is. The default origin is an address on loopback. */
  as<Name extends ActionName>(
    actor: Actor,
    name: Name,
    input: CallInput<Name>,
    origin?: Caller['origin'],
  ): Promise<Output<Name>>;
  /** Runs an internal function, as the hub by default. */
  run<Given, Answer, Prepared>(
    internal: Internal<Given, Answer, Prepared>,
    ...input: [Given] extends [void] ? [] : [input: Given, actor?: HubCaller['actor']]
  ): Promise<Answer>;
  /** Runs an action that must be refused and returns its error. */
  refusal(
    actor: Actor,
    name: ActionName,
    input: unknown,
    origin?: Caller['origin'],
  ): Promise<{ kind: ErrorKind; message: string }>;
  /** Runs an internal function that must fail and returns its error. */
  refused<Given, Answer, Prepared>(
    internal: Internal<Given, Answer, Prepared>,
    input: Given,
  ): Promise<{ kind: ErrorKind; message: string }>;
  /** Creates a user through the hub and returns its actor. */
  user(
    email: string,
    more?: { isAdmin?: boolean; password?: string },
  ): Promise<Extract<Actor, { actor: 'User' }>>;
}

/** Options of the executor under test. */
export interface FreshExecutorOptions {
  /** By default one of this process; disposed with the executor. */
  readonly database?: FreshDatabase;
  /** Receives the events after each commit, as the hub's outbox does. */
  readonly afterCommit?: ExecutorParts['afterCommit'];
  readonly registration?: RegistrationRules;
  readonly sendTestMail?: ExecutorParts['sendTestMail'];
  readonly ciIssuers?: ExecutorParts['ciIssuers'];
  readonly outgoing?: ExecutorParts['outgoing'];
  /** By default nothing is configured. */
  readonly config?: Config;
  /** By default those on disk, and those of the database. */
  readonly storages?: (db: FreshDatabase['db']) => ExecutorParts['storages'];
}

/** A configuration that sets nothing. */
export const testConfig = loadConfig({ argv: [], env: {}, hostname: 'testing', isTerminal: false });

/** Builds a real executor over all handlers on a fresh database. */
export async function freshExecutor(options: FreshExecutorOptions = {}): Promise<FreshExecutor> {
  const database = options.database ?? (await freshDatabase());
  const storages = options.storages?.(database.db) ?? storagesOf(database.db);
  const emittedEvents: DomainEvent[] = [];
  let nowMs = Date.UTC(2026, 10, 20, 12);
  const now = () => new Date(nowMs);
  const executor = createExecutor({
    handlers,
    db: database.db,
    openingDb: database.db,
    now,
    vault: testVault,
    storages,
    nodeId: () => undefined,
    settings: instanceSettings(options.config ?? testConfig),
    ...(options.registration === undefined
      ? {}
      : { registration: () => options.registration as RegistrationRules }),
    ...(options.ciIssuers === undefined ? {} : { ciIssuers: options.ciIssuers }),
    ...(options.outgoing === undefined ? {} : { outgoing: options.outgoing }),
    ...(options.sendTestMail === undefined ? {} : { sendTestMail: options.sendTestMail }),
    afterCommit(committed) {
      emittedEvents.push(...committed.map(({ event }) => event));
      options.afterCommit?.(committed);
    },
    log: { error: (fields, message) => console.error(message, fields) },
  });
  const originOf = (given: Caller['origin'] = { ip: '127.0.0.1' }) => ({
    steppedUpAt: now().toISOString(),
    ...given,
  });
  const as: FreshExecutor['as'] = (actor, name, input, origin) =>
    executor.invoke({ actor, origin: originOf(origin) }, name, input);
  const refusalOf = async (name: string, call: Promise<unknown>) => {
    const answer = await call.catch((error: unknown) => error);
    if (answer instanceof ActionError) return { kind: answer.kind, message: answer.message };
    throw new Error(`${name} was not refused: ${JSON.stringify(answer)}`);
  };
  return {
    executor,
    database,
    emittedEvents,
    advance: (seconds) => void (nowMs += seconds * 1000),
    now,
    as,
    run: (internal, ...[input, actor = system]) =>
      executor.run({ actor, origin: { ip: '127.0.0.1' } }, internal, ...([input] as never)),
    refusal: (actor, name, input, origin) =>
      refusalOf(name, executor.execute({ actor, origin: originOf(origin) }, name, input)),
    refused: (internal, input) =>
      refusalOf(internal.name, executor.run(systemCaller, internal, ...([input] as never))),
    async user(email, more = {}) {
      const created = await as(system, 'users_CreateUser', { email, ...more });
      if (created.result !== 'Created') throw new Error(`${email} exists already`);
      return { actor: 'User', kind: 'User', userId: created.userId };
    },
    async [Symbol.asyncDispose]() {
      await executor.stop();
      await database[Symbol.asyncDispose]();
    },
  };
}
