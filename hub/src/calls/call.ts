import { ids, type ActionDefinition, type Id } from '@corral/contract';
import type { Caller, ExecutorParts } from './executor.ts';
import type { CommandLimiter } from './command-limiter.ts';
import type { QueryLimiter } from './query-limiter.ts';
import type { AnonymousRefusals } from './anonymous-refusals.ts';
import type { FailureLog } from './FailureLog.ts';
import type { AnyHandler, CallContext, Origins, RegistrationRules, SendTestMail } from './handler.ts';
import type { Searches } from './searches.ts';
import type { RecordedRows } from './recorded-rows.ts';
import { mustBeWithinToken } from './token-bounds.ts';

/** The dependencies of calls: those of the executor, and what it has made of them. */
export interface Parts extends ExecutorParts {
  readonly refusals: AnonymousRefusals;
  readonly recordedRows: RecordedRows;
  readonly searches: Searches;
  readonly commandLimiter: CommandLimiter;
  readonly queryLimiter: QueryLimiter;
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
export type Context = CallContext<unknown>;

const openRegistration: RegistrationRules = {
  isOpen: true,
  concealsExisting: false,
  isMailConfigured: true,
};
const sendNothing: SendTestMail = async () => ({
  isSent: false,
  message: 'This hub sends no e-mails.',
});
const loopbackOrigins: Origins = {
  console: 'http://localhost:8080',
  proxyDomain: 'proxy.localhost',
  proxyOf: (label) => `http://${label}.proxy.localhost:8080`,
};

/** This node as the database knows it, once it has joined the cluster. */
export function rawNodeId({ nodeId }: Parts): string | undefined {
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
