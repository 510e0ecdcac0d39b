import { setTimeout as wait } from 'node:timers/promises';
import { ActionError } from '@corral/contract';
import { ConnectError } from '../link/ConnectError.ts';
import { TransferError } from './TransferError.ts';

const initialCeilingMs = 250;
const maxCeilingMs = 10_000;
const maxRetryAfterMs = 600_000;
/** How long the hub may be away: a restart on a busy machine, or an update of its system. */
const patienceMs = 600_000;
/** How often it may answer that something went wrong inside, which time seldom mends. */
const maxFailures = 10;

/** Called before each wait. */
export type RetryObserver = (reason: string, delayMs: number) => void;

/** How often and when to try again. */
export interface RetryOptions {
  readonly signal?: AbortSignal | undefined;
  /** Grows while the work succeeds; a failure after progress counts as the first one. */
  readonly progress?: () => number;
  readonly onRetry?: RetryObserver | undefined;
  readonly random?: () => number;
  /** A monotonic clock in milliseconds. */
  readonly nowMs?: () => number;
}

/**
 * Repeats the work after failures that may pass: 408, 429 and 5xx, and broken connections. Between two attempts it waits a random time below a
 * limit that doubles from a quarter of a second to ten seconds, or at least the Retry-After. After ten minutes without progress it is rejected
 * with a TransferError, with the last error after ten attempts that the hub answered with 500, with the first other error at once, and with the
 * reason of the signal.
 */
export async function withRetries<Result>(
  work: () => Promise<Result>,
  { signal, progress = () => 0, onRetry, random = Math.random, nowMs = monotonicMs }: RetryOptions = {},
): Promise<Result> {
  let failures = 0;
  let failingSinceMs = 0;
  let reached = progress();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      if (progress() > reached) failures = 0;
      reached = Math.max(reached, progress());
      failures += 1;
      if (failures === 1) failingSinceMs = nowMs();
      const kind = passingOf(error);
      if (kind === undefined || (kind === 'Broken' && failures >= maxFailures)) throw error;
      const delayMs = delayBefore(failures, error, random);
      if (nowMs() + delayMs - failingSinceMs > patienceMs) throw givenUp(error as Error);
      onRetry?.((error as Error).message, delayMs);
      await wait(delayMs, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
      signal?.throwIfAborted();
    }
  }
}

function delayBefore(failures: number, error: unknown, random: () => number): number {
  const jitterMs = random() * Math.min(maxCeilingMs, initialCeilingMs * 2 ** (failures - 1));
  return Math.min(maxRetryAfterMs, retryAfterOf(error) ?? 0) + jitterMs;
}

function retryAfterOf(error: unknown): number | undefined {
  if (error instanceof TransferError || error instanceof ConnectError) return error.retryAfterMs;
  if (error instanceof ActionError && error.retryAfterSecs !== undefined) return error.retryAfterSecs * 1_000;
  return undefined;
}

const monotonicMs = (): number => performance.now();

function givenUp(cause: Error): TransferError {
  const minutes = patienceMs / 60_000;
  const sentence = `${cause.message} It was tried again for ${minutes} minutes. The same command goes on from here.`;
  return new TransferError('Interrupted', sentence, { cause });
}

/** Why the same work may succeed later: the hub is away or busy, or something in it is broken. */
type Passing = 'Away' | 'Broken';

const passingKinds: Readonly<Record<string, Passing>> = {
  NotReady: 'Away',
  Throttled: 'Away',
  RateLimited: 'Away',
  Internal: 'Broken',
};

/** Undefined for a failure that stays. */
function passingOf(error: unknown): Passing | undefined {
  if (error instanceof TransferError) {
    if (error.fault === 'Interrupted') return 'Away';
    return error.fault === 'Refused' ? passingStatus(error.status ?? 0) : undefined;
  }
  if (error instanceof ConnectError) return error.status === undefined ? 'Away' : passingStatus(error.status);
  return error instanceof ActionError ? passingKinds[error.kind] : undefined;
}

function passingStatus(status: number): Passing | undefined {
  if (status === 500) return 'Broken';
  // 501 and 507 (no space) stay.
  const isPassing = status === 408 || status === 429 || (status > 500 && status !== 501 && status !== 507);
  return isPassing ? 'Away' : undefined;
}
