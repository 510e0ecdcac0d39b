import { ActionError, type Actor, type ErrorKind } from '@corral/contract';
import type { Rate } from './bucket.ts';
import { FairSemaphore, type Places } from './fair-semaphore.ts';

/** An error with this sentence, and when to try again. */
interface Refusal {
  readonly kind: ErrorKind;
  readonly sentence: string;
  readonly retryAfterSecs: number;
}

/** So often within a time that begins with the first. */
export interface Window {
  readonly max: number;
  readonly secs: number;
}

/** What SECURITY.md says of a limit. */
interface Described {
  /** What is counted. */
  readonly what: string;
  /** Whose is counted together, and who a group is. */
  readonly per?: string;
  readonly group?: string;
  /** What a user suffers without it. */
  readonly scenario: string;
  /** What the refused get; a sentence for readers where that is no error of an action. */
  readonly refused: Refusal | string;
  /** How an operator sets it. */
  readonly setBy?: string;
}

/** How often (in memory), how much at a time (in memory), or how often within a time (in the database, for all nodes together). */
export type Limit = Described & (Rate | Places | Windows);

/** Beyond failures, the account is blocked for so long. */
export interface Windows {
  readonly windows: readonly Window[];
  readonly blockSecs?: number;
  readonly mostBlockSecs?: number;
}

/** The refusal by a limit. */
export function refusalBy({ refused }: { readonly refused: Refusal }): ActionError {
  const { kind, sentence, retryAfterSecs } = refused;
  return new ActionError(kind, sentence, { retryAfterSecs });
}

/** The places of a limit. */
export function placesOf(limit: Places & { readonly refused: Refusal }): FairSemaphore {
  return new FairSemaphore(limit, () => refusalBy(limit));
}

/** By which clients without an account are counted. */
export const network = 'IPv4 address or IPv6 /64';

/** A refusal of kind Throttled. */
export const throttled = (sentence: string, retryAfterSecs = 5) =>
  ({ kind: 'Throttled', sentence, retryAfterSecs }) satisfies Refusal;

/** The keys by which work is counted. */
export interface CallerKeys {
  /** The id of a user or device, or an address. */
  readonly caller: string;
  /** Whose work is one party beside that of others, such as the project of a device; undefined for a caller by itself. */
  readonly group?: string | undefined;
}

interface Caller {
  readonly actor: Actor;
  readonly origin: { readonly ip?: string; readonly projectId?: string };
}

/** The key by which the calls, inputs and refusals of a caller are counted: a user with all sessions and tokens, a device, or an address without an account. */
export function callerKey({ actor, origin }: Caller): string {
  if (actor.actor === 'User' || actor.actor === 'UserToken') return actor.userId;
  if (actor.actor === 'Device') return actor.deviceId;
  return origin.ip ?? actor.actor;
}

/** The keys by which work of a caller is counted: see `callerKey`, and for a device also the project that its link knows. */
export function callerKeys(caller: Caller): CallerKeys {
  const group = caller.actor.actor === 'Device' ? caller.origin.projectId : undefined;
  return { caller: callerKey(caller), group };
}
