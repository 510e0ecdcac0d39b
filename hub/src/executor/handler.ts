import type { ActionName, Actor, EventName, Input, Json, Output } from '@corral/contract';
import type { Vault } from '../auth/vault.ts';
import type { Database } from '../db/connect.ts';
import type { Refusal } from './Refusal.ts';

/** Where a call came from, as far as its door knows. */
export interface CallOrigin {
  /** The caller's address; behind a trusted proxy the one that the proxy names. */
  readonly ip?: string;
  /** The session that the actor speaks by, as its raw id. */
  readonly sessionId?: string;
}

/** How people may make accounts for themselves, as the operator chose. */
export interface RegistrationRules {
  readonly isOpen: boolean;
  /** Whether the answer hides that an address has an account or a registration already. */
  readonly concealsExisting: boolean;
}

/** Where browsers find what the hub serves. */
export interface Origins {
  /** The origin of the console, without a trailing slash. */
  readonly console: string;
  /** The domain below which each port of a device has a host name of its own. */
  readonly proxyDomain: string;
  /** The origin of a device's web page, by the first label of its host name. */
  proxyOf(label: string): string;
}

/** Records a domain event in the transaction of the action; it reaches the bus after the commit. */
export type Emit = (name: EventName, data: Readonly<Record<string, Json>>) => void;

/** All that a handler receives; it reaches for nothing else. */
export interface HandlerContext<Name extends ActionName> {
  readonly input: Input<Name>;
  readonly actor: Actor;
  readonly origin: CallOrigin;
  /** The transaction of a command; of a query, the database. */
  readonly tx: Database;
  readonly now: Date;
  readonly emit: Emit;
  readonly registration: RegistrationRules;
  readonly origins: Origins;
  /** Seals what is kept secret, and opens it. */
  readonly vault: Vault;
}

/**
 * One action: who may, and what happens. `authorize` throws an `ActionError` for whoever may not,
 * and hands what it has learned to `run`; both share one transaction. An error that `run` throws undoes everything;
 * a `Refusal` that it answers is told to the caller after the commit.
 */
export interface Handler<Name extends ActionName, Access = unknown, Prepared = unknown> {
  /** Slow work that needs no transaction, such as checking a password; what it hands on may be outdated by the time of `authorize`. */
  prepare?(context: HandlerContext<Name>): Promise<Prepared>;
  /**
   * Whether the rest of a command without an audit row writes by one statement at most, or sees to a transaction itself, and emits no
   * event that is kept: it then runs without a transaction around it.
   */
  isOneStatement?(prepared: Prepared): boolean;
  authorize(context: HandlerContext<Name>, prepared: Prepared): Promise<Access> | Access;
  run(context: HandlerContext<Name>, access: Access): Promise<Output<Name> | Refusal>;
}

/** A handler with whatever its `authorize` hands on hidden inside, as the executor keeps it. */
export interface AnyHandler {
  prepare?(context: never): Promise<unknown>;
  isOneStatement?(prepared: never): boolean;
  authorize(context: never, prepared: never): unknown;
  run(context: never, access: never): Promise<unknown>;
}
