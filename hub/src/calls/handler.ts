import type { ActionName, Actor, EventName, Input, Json, Output, TokenVerb } from '@corral/contract';
import type { CiIssuers } from '../auth/ci/ci-issuers.ts';
import type { Storages } from '../domains/assets/storage/storages.ts';
import type { Database } from '../platform/db/connect.ts';
import type { Outgoing } from '../platform/outgoing/open-outgoing.ts';
import type { Vault } from '../platform/vault/vault.ts';
import type { Refusal } from './failures.ts';

/** Where a call came from, as far as the entry point knows. */
export interface CallOrigin {
  /** The address of the caller; behind a trusted proxy, the address that the proxy reports. */
  readonly ip?: string;
  /** The project of the calling device, as its link knows it. */
  readonly projectId?: string;
  /** The raw id of the certificate that the calling device came with. */
  readonly certificateId?: string;
  /** The raw id of the connection of the calling device. */
  readonly connectionId?: string;
  /** Whether the hub may open a channel for commands over that connection. */
  readonly mayOpenChannel?: boolean;
  /** The raw id of the session of the actor. */
  readonly sessionId?: string;
  /** When the user of the session last proved who it is, RFC 3339. */
  readonly steppedUpAt?: string;
  /** The bounds of the actor's user token, where the entry point has just authenticated it; otherwise the executor reads them. */
  readonly tokenBounds?: TokenBounds;
}

/** The restrictions of a user token, apart from which projects and repositories it reaches. */
export interface TokenBounds {
  readonly isReadOnly: boolean;
  /** Whether it reaches certain projects or repositories only. */
  readonly isLimited: boolean;
  /** Undefined for a token without. */
  readonly verbs?: readonly TokenVerb[] | undefined;
  readonly expiresAt?: string | undefined;
}

/** The operator's settings for self-registration. */
export interface RegistrationRules {
  readonly isOpen: boolean;
  /** Whether answers conceal that an address already has an account or a registration. */
  readonly concealsExisting: boolean;
  /** Without a mail server the link of an invitation makes the account, and administrators pass on the other links. */
  readonly isMailConfigured: boolean;
}

/** The public origins of the hub. */
export interface Origins {
  /** The origin of the console, without a trailing slash. */
  readonly console: string;
  /** The parent domain of the host names of device ports. */
  readonly proxyDomain: string;
  /** The name that passkeys belong to, and the only origin at which they are used; undefined where browsers know none. */
  readonly passkeys: { readonly rpId: string; readonly origin: string } | undefined;
  /** The origin of a device's web page, by the first label of its host name. */
  proxyOf(label: string): string;
}

/** A setting that administrators may change while the hub runs. */
export interface SettingDefinition {
  /** What it is called in sentences. */
  readonly label: string;
  /** One sentence. */
  readonly doc: string;
  readonly fallback: Json;
  /** Secrets are stored sealed, and never returned. */
  readonly isSecret: boolean;
  /** Where the configuration sets it, and to what; it cannot be changed then. */
  readonly configured: { readonly by: string; readonly value: Json } | undefined;
  /** Parses a value; one that is out of range is a problem, in a sentence. */
  parse(value: Json): { readonly value: Json } | { readonly problem: string };
  /** What administrators may see of a value. */
  shown(value: Json): Json;
}

/** The settings of the instance, by key. */
export type SettingDefinitions = ReadonlyMap<string, SettingDefinition>;

/** Sends an e-mail to an address at once, and says how that ended. */
export type SendTestMail = (to: string) => Promise<{ readonly isSent: boolean; readonly message: string }>;

/** An event of the running action. */
interface EmittedEvent {
  /** The raw id of its row in the audit log; undefined for a hint. */
  readonly eventId: string | undefined;
  /** RFC 3339, UTC. */
  readonly at: string;
}

/** Records a domain event in the transaction of the action; it reaches the bus after the commit. The hub names the actor whom it acts for. */
export type Emit = (name: EventName, data: Readonly<Record<string, Json>>, actor?: Actor) => EmittedEvent;

/** Everything that a handler receives. */
export type HandlerContext<Name extends ActionName> = CallContext<Input<Name>>;

/** Everything that a handler or an internal function receives. */
export interface CallContext<Given> {
  readonly input: Given;
  readonly actor: Actor;
  readonly origin: CallOrigin;
  /** The transaction of a command; of a query, the database. */
  readonly tx: Database;
  /** The database outside of the transaction: what is written here stays when the transaction, also that of a search, is rolled back. */
  readonly db: Database;
  readonly now: Date;
  /** The node that runs the action, by its raw id; undefined outside of a cluster. */
  readonly nodeId: string | undefined;
  readonly emit: Emit;
  readonly registration: RegistrationRules;
  readonly origins: Origins;
  readonly settings: SettingDefinitions;
  readonly sendTestMail: SendTestMail;
  readonly ciIssuers: CiIssuers;
  /** Sends requests to servers that users name. */
  readonly outgoing: Pick<Outgoing, 'fetch'>;
  /** Encrypts and decrypts secrets at rest. */
  readonly vault: Vault;
  /** Where the bytes of assets are kept. */
  readonly storages: Storages;
}

/**
 * Handles one action. `authorize` throws an `ActionError` for callers who may not, and its result is passed to `run`; both share one
 * transaction. An error thrown by `run` rolls back; a `Refusal` returned by it is thrown after the commit.
 */
export interface Handler<Name extends ActionName, Access = unknown, Prepared = unknown> {
  /** Slow work without a transaction, such as checking a password; its result may be stale when `authorize` runs. */
  prepare?(context: HandlerContext<Name>): Promise<Prepared>;
  /**
   * Whether a command without an audit row executes at most one statement, or manages its own transaction, and emits no logged event.
   * It then runs without a transaction.
   */
  isOneStatement?(prepared: Prepared): boolean;
  /** Whether that statement is a bulk one, which calls at the same time share: they hold no connection, so any number may run. */
  readonly isBulk?: true;
  /** Whether the hub itself calls it on behalf of somebody who has not signed in. Its refusals are then recorded like those of anonymous callers. */
  readonly isForAnonymous?: boolean;
  /** Every refusal is answered a multiple of so long after the call, so that its time does not tell its reason. */
  readonly refusedAfterMs?: number;
  authorize(context: HandlerContext<Name>, prepared: Prepared): Promise<Access> | Access;
  run(context: HandlerContext<Name>, access: Access): Promise<Output<Name> | Refusal>;
}

/** A handler of any action, as the executor stores it. */
export interface AnyHandler {
  prepare?(context: never): Promise<unknown>;
  isOneStatement?(prepared: never): boolean;
  readonly isBulk?: true;
  readonly isForAnonymous?: boolean;
  readonly refusedAfterMs?: number;
  authorize(context: never, prepared: never): unknown;
  run(context: never, access: never): Promise<unknown>;
}

/** What only the hub itself does, for its doors and jobs. Nobody outside can call it, so it checks no rights and its input needs no schema. */
export interface Internal<Given, Answer, Prepared = unknown> {
  /** What the logs and the metrics call it. */
  readonly name: string;
  /** Whether it only reads; it then runs without a transaction. */
  readonly isQuery?: true;
  /** Whether each run gets a row in the audit log. */
  readonly isRecorded?: true;
  /** As of a handler. */
  readonly isForAnonymous?: true;
  /** As of a handler. */
  prepare?(context: CallContext<Given>): Promise<Prepared>;
  /** As of a handler. */
  isOneStatement?(prepared: Prepared): boolean;
  /** As of a handler. */
  readonly isBulk?: true;
  run(context: CallContext<Given>, prepared: Prepared): Promise<Answer | Refusal>;
}

/** What an internal function is given. */
export type Given<Function> = Function extends Internal<infer Input, infer _, infer _> ? Input : never;
/** What an internal function answers. */
export type Answer<Function> = Function extends Internal<infer _, infer Output, infer _> ? Output : never;
/** Runs internal functions. They go through the stages of an action: audit row, transaction, events; rejections are `ActionError`s. */
export interface InternalRunner {
  run<Given, Answer, Prepared>(
    caller: HubCaller,
    internal: Internal<Given, Answer, Prepared>,
    ...input: [Given] extends [void] ? [] : [Given]
  ): Promise<Answer>;
}

/** The hub, or a node of it, and on whose behalf it calls. */
export interface HubCaller {
  readonly actor: Extract<Actor, { actor: 'System' | 'ClusterNode' }>;
  readonly origin: CallOrigin;
}

/** The caller of what the hub itself does. */
export const systemCaller: HubCaller = { actor: { actor: 'System', kind: 'System' }, origin: {} };
