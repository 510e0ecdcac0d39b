import { ActionError, type ErrorKind } from '@corral/contract';
import type { Rate } from './bucket.ts';
import { FairSemaphore, type Places } from './fair-semaphore.ts';

/** An error with this sentence, and when to try again. */
export interface Refusal {
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
export type Limit = Described & (RateLimit | Places | Windows);

/** A rate that is adapted has a lowest one. */
export type RateLimit = Rate & { readonly lowestPerSecond?: number };

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
