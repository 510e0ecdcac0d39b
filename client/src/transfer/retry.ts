import { setTimeout as wait } from 'node:timers/promises';
import { ActionError } from '@corral/contract';
import { ConnectError } from '../link/ConnectError.ts';
import { TransferError } from './TransferError.ts';

const initialCeilingMs = 250;
const maxCeilingMs = 30_000;
const maxRetryAfterMs = 600_000;
/** With these ceilings about a minute and a half on average. */
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
}

/**
 * Repeats the work after failures that may pass: 408, 429 and 5xx, and broken connections. Between two attempts it waits a random time below a
 * limit that doubles from a quarter of a second to half a minute, or at least the Retry-After. Rejected with the last error after ten
 * attempts without progress, with the first other error at once, and with the reason of the signal.
 */
export async function withRetries<Result>(
  work: () => Promise<Result>,
  { signal, progress = () => 0, onRetry, random = Math.random }: RetryOptions = {},
): Promise<Result> {
  let failures = 0;
  let reached = progress();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      if (progress() > reached) failures = 0;
      reached = Math.max(reached, progress());
      failures += 1;
      if (!isTransient(error) || failures >= maxFailures) throw error;
      const delayMs = delayBefore(failures, error, random);
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

const transientKinds: ReadonlySet<string> = new Set(['NotReady', 'Throttled', 'RateLimited', 'Internal']);

/** Whether the same work may succeed later. */
function isTransient(error: unknown): boolean {
  if (error instanceof TransferError)
    return error.fault === 'Interrupted' || (error.fault === 'Refused' && isPassing(error.status ?? 0));
  if (error instanceof ConnectError) return error.status === undefined || isPassing(error.status);
  return error instanceof ActionError && transientKinds.has(error.kind);
}

// 501 and 507 (no space) stay.
function isPassing(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status !== 501 && status !== 507);
}
