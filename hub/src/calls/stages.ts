import { setTimeout as delay } from 'node:timers/promises';
import {
  type ActionDefinition,
  ActionError,
  type ActionName,
  type Actor,
  events,
  type Id,
  ids,
  isActionName,
  type TokenVerb,
  verbOf,
} from '@corral/contract';
import { sql } from 'kysely';
import { openCiIssuers } from '../auth/ci/ci-issuers.ts';
import { newDatedRawId } from '../auth/random.ts';
import type { Database } from '../platform/db/connect.ts';
import type { CommittedEvent } from '../platform/events/bus.ts';
import { type AnonymousRefusals, mustNotAddMany, type RecordedRows } from './audit-limits.ts';
import {
  auditData,
  closeAction,
  finishAction,
  type NumberedEvent,
  openAction,
  type OpenAction,
  type Opening,
} from './audit.ts';
import type { Caller, ExecutorParts } from './executor.ts';
import { type FailureLog, failureOf, pauseBeforeRetry, Refusal, statusOf } from './failures.ts';
import type { AnyHandler, CallContext, Origins, RegistrationRules, SendTestMail } from './handler.ts';
import type { Turns } from './turns.ts';

/** The dependencies of calls: those of the executor, and what it has made of them. */
export interface Parts extends ExecutorParts {
  readonly refusals: AnonymousRefusals;
  readonly recordedRows: RecordedRows;
  readonly turns: Turns;
  readonly failureLog: FailureLog;
}

/** A call of an action whose input was found valid, or of an internal function. */
export interface Call {
  readonly parts: Parts;
  readonly caller: Caller;
  readonly name: string;
  readonly kind: ActionDefinition['kind'];
  /** Whether it gets a row in the audit log. */
  readonly isRecorded: boolean;
  readonly handler: AnyHandler;
  readonly input: unknown;
}

/** The context of a handler, whatever its action. */
type Context = CallContext<unknown>;

const openRegistration: RegistrationRules = {
  isOpen: true,
  concealsExisting: false,
  isMailConfigured: true,
};
const sendNothing: SendTestMail = async () => ({
  isSent: false,
  message: 'This hub sends no e-mails.',
});
const fetchNothing = async (): Promise<never> => {
  throw new Error('Nothing can be reached.');
};
const noIssuers = openCiIssuers({ list: () => [], fetch: fetchNothing });
const loopbackOrigins: Origins = {
  console: 'http://localhost:8080',
  proxyDomain: 'proxy.localhost',
  passkeys: { rpId: 'localhost', origin: 'http://localhost:8080' },
  proxyOf: (label) => `http://${label}.proxy.localhost:8080`,
};

/** This node as the database knows it, once it has joined the cluster. */
function rawNodeId({ nodeId }: Parts): string | undefined {
  const id: Id<'clusterNode'> | undefined = nodeId();
  return id && ids.clusterNode.raw(id);
}

/** The context of the handler of a call on a database or in a transaction. */
export function contextOf({ parts, caller, input }: Call, rest: Pick<Context, 'tx' | 'emit'>): Context {
  const { actor, origin } = caller;
  return {
    input,
    actor,
    origin,
    db: parts.db,
    now: parts.now(),
    nodeId: rawNodeId(parts),
    registration: parts.registration?.() ?? openRegistration,
    origins: parts.origins?.() ?? loopbackOrigins,
    settings: parts.settings ?? new Map(),
    sendTestMail: parts.sendTestMail ?? sendNothing,
    ciIssuers: parts.ciIssuers ?? noIssuers,
    outgoing: parts.outgoing ?? { fetch: fetchNothing },
    vault: parts.vault,
    storages: parts.storages,
    ...rest,
  };
}

/** The `emit` of a handler that runs outside of the transaction of a command. */
export function emitNothing(): never {
  throw new Error('Only commands emit events, in their transaction.');
}

/** What a handler does before the transaction begins, so that it holds no database connection meanwhile; the bounds of a user token come before it. */
export async function prepareHandler(call: Call): Promise<unknown> {
  const { parts, caller, name, kind, handler } = call;
  await mustBeWithinToken(parts.db, caller, {
    name,
    kind,
    now: parts.now(),
  });
  return handler.prepare?.(contextOf(call, { tx: parts.db, emit: emitNothing }) as never);
}

/** Authorizes the call and runs its handler. */
export async function runHandler(handler: AnyHandler, context: Context, prepared: unknown): Promise<unknown> {
  const access = await handler.authorize(context as never, prepared as never);
  return handler.run(context as never, access as never);
}

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
    mustNotAddMany(name, open.fullUntil, now);
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
  const runLimited = isAtomic && handler.isBulk === true ? run : () => parts.turns.command(caller, run);
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

function emitInto(emittedEvents: CommittedEvent[], caller: Actor, now: Date): Context['emit'] {
  return (name, data, actor = caller) => {
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

interface TokenRow {
  readonly isReadOnly: boolean;
  readonly isLimited: boolean;
  readonly verbs: readonly TokenVerb[] | null;
  readonly expiresAt: string | null;
}

/** The commands that a read-only token may call: to issue a download URL, and to delete the token itself. */
const readOnlyTokenCommands: ReadonlySet<string> = new Set<ActionName>([
  'repositories_IssueAssetDownloadUrl',
  'users_DeleteUserToken',
]);
/** The account actions that a token limited to certain projects and repositories may call: queries filtered to these, and to delete itself. */
const limitedTokenAccountActions: ReadonlySet<string> = new Set<ActionName>([
  'users_GetUserDetails',
  'users_QueryUserProjects',
  'users_QueryUserRepositories',
  'users_GetDevicePermissions',
  'users_DeleteUserToken',
]);
const creations: ReadonlySet<string> = new Set<ActionName>([
  'projects_CreateProject',
  'repositories_CreateRepository',
]);

const isOfAccount = (name: string): boolean =>
  name.startsWith('users_') && !limitedTokenAccountActions.has(name);

/**
 * Requires of a caller by user token that the token exists, has not expired, and may call this action. Which projects and repositories it
 * reaches is part of the statements of the policies. An entry point that has just authenticated the token knows its bounds; for others
 * they are read.
 */
async function mustBeWithinToken(
  db: Database,
  { actor, origin }: Caller,
  called: { readonly name: string; readonly kind: ActionDefinition['kind']; readonly now: Date },
): Promise<void> {
  if (actor.actor !== 'UserToken') return;
  const { name, kind, now } = called;
  const bounds = origin.tokenBounds ?? (await readToken(db, ids.userTokenId.raw(actor.tokenId)));
  if (bounds === undefined || isExpired(bounds, now))
    throw new ActionError('NotSignedIn', 'The user token is not valid.');
  mustHaveVerb(name, bounds.verbs);
  if (bounds.isReadOnly && kind === 'command' && !readOnlyTokenCommands.has(name))
    throw new ActionError('Forbidden', 'This token may only read. Use a token with full access.');
  if (bounds.isLimited && (creations.has(name) || isOfAccount(name)))
    throw new ActionError(
      'Forbidden',
      'This token is for certain projects and repositories only. Use a token for all of them.',
    );
}

/** Functions of the hub, which are no actions, are not a matter of the token. */
function mustHaveVerb(name: string, verbs: readonly TokenVerb[] | null | undefined): void {
  if (verbs === null || verbs === undefined || !isActionName(name)) return;
  const verb = verbOf(name);
  if (verb === 'none') throw new ActionError('Forbidden', 'A token with verbs may not do this.');
  if (verb !== 'read' && !verbs.includes(verb))
    throw new ActionError('Forbidden', `This needs a token with the verb ${verb}, which this one has not.`);
}

const isExpired = ({ expiresAt }: { expiresAt?: string | null | undefined }, now: Date): boolean =>
  typeof expiresAt === 'string' && Date.parse(expiresAt) <= now.getTime();

async function readToken(db: Database, tokenId: string): Promise<TokenRow | undefined> {
  const { rows } = await sql<TokenRow>`
    select is_read_only as "isReadOnly", (project_ids is not null or repository_ids is not null) as "isLimited",
      verbs, expires_at as "expiresAt"
    from user_tokens where token_id = ${tokenId}`.execute(db);
  return rows[0];
}
