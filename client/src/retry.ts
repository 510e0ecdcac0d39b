import { ActionError } from '@corral/contract';
import { ConnectError } from './link/ConnectError.ts';
import { TransferError } from './TransferError.ts';

const initialCeilingMs = 250;
const maxCeilingMs = 10_000;
/** The longest wait for a hub that is away, in the first minute; later a thirtieth of the time that it has been away. */
const youngCeilingMs = 2_000;
const shareOfOutage = 1 / 30;
const maxRetryAfterMs = 600_000;
/** How long the hub may be unavailable: long enough for a restart on a busy machine, or an update of its system. */
const giveUpAfterMs = 600_000;
/** How often the hub may answer with an internal error, which seldom goes away by itself. */
const maxFailures = 10;

/** Called before each wait. */
export type RetryObserver = (reason: string, delayMs: number) => void;

/** How often and when to try again. */
export interface RetryOptions {
  readonly signal?: AbortSignal | undefined;
  /** Grows while the work succeeds; a failure after progress counts as the first one. */
  readonly progress?: () => number;
  readonly onRetry?: RetryObserver | undefined;
  /** The share of each wait below its limit, from 0 to 1; Math.random by default. */
  readonly random?: (() => number) | undefined;
  /** A monotonic clock in milliseconds. */
  readonly nowMs?: () => number;
  /** Resolves after the time, or earlier if trying again may help; and when the signal is aborted. */
  readonly wait?: (durationMs: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Whether this machine has no network, which does not count towards the ten minutes. */
  readonly isOffline?: () => boolean;
  /** A sentence for whoever may begin again after the ten minutes. */
  readonly howToResume?: string;
}

/** The options of retries that a transfer takes from its caller. */
export type TransferRetries = Pick<RetryOptions, 'signal' | 'onRetry' | 'random'>;

/**
 * Repeats the work after temporary failures (408, 429, 5xx, broken connections), with random waits that grow, or at least the Retry-After.
 * Rejected with a TransferError after ten minutes without progress, with the last error after ten answers 500, with any other error at
 * once, and with the reason of the signal when it is aborted.
 */
export async function withRetries<Result>(
  work: () => Promise<Result>,
  options: RetryOptions = {},
): Promise<Result> {
  const { signal, progress = () => 0, onRetry, random = Math.random, nowMs = monotonicMs } = options;
  const { wait = pause, isOffline = () => false, howToResume = 'Run the same command to resume.' } = options;
  let failures = 0;
  let [failingSinceMs, countedSinceMs] = [0, 0];
  let lastProgress = progress();
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      if (progress() > lastProgress) failures = 0;
      lastProgress = Math.max(lastProgress, progress());
      failures += 1;
      const failedAtMs = nowMs();
      if (failures === 1) failingSinceMs = failedAtMs;
      if (failures === 1 || isOffline()) countedSinceMs = failedAtMs;
      const cause = retryableCauseOf(error);
      if (cause === undefined || (cause === 'Broken' && failures >= maxFailures)) throw error;
      const delayMs = delayBefore({ failures, error, random, awayMs: failedAtMs - failingSinceMs });
      if (failedAtMs + delayMs - countedSinceMs > giveUpAfterMs)
        throw interrupted(error as Error, howToResume);
      onRetry?.((error as Error).message, delayMs);
      await wait(delayMs, signal);
    }
  }
}

interface Failure {
  readonly failures: number;
  readonly error: unknown;
  /** Since the first one. */
  readonly awayMs: number;
  readonly random: () => number;
}

function delayBefore({ failures, error, awayMs, random }: Failure): number {
  const ofOutageMs = isAway(error) ? Math.max(youngCeilingMs, awayMs * shareOfOutage) : maxCeilingMs;
  const jitterMs = random() * Math.min(maxCeilingMs, ofOutageMs, initialCeilingMs * 2 ** (failures - 1));
  return Math.min(maxRetryAfterMs, retryAfterOf(error) ?? 0) + jitterMs;
}

/** What servers in front of a hub answer when it does not. */
const awayStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * Whether the hub may be back soon: nothing answered, or a server in front of it did, or the hub itself says NotReady. It says so while it starts or loses its database, but also
 * while its store fails or its answers are full, which from here looks like a restart. An overloaded hub (429) and one that fails (500) do not count.
 */
function isAway(error: unknown): boolean {
  if (error instanceof ActionError) return error.kind === 'NotReady';
  if (!(error instanceof TransferError || error instanceof ConnectError)) return false;
  return error.status === undefined || awayStatuses.has(error.status);
}

function retryAfterOf(error: unknown): number | undefined {
  if (error instanceof TransferError || error instanceof ConnectError) return error.retryAfterMs;
  if (error instanceof ActionError && error.retryAfterSecs !== undefined) return error.retryAfterSecs * 1_000;
  return undefined;
}

const monotonicMs = (): number => performance.now();

function pause(durationMs: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal?.aborted === true) return Promise.resolve();
  const timer = setTimeout(resolve, durationMs);
  const onAbort = (): void => resolve();
  signal?.addEventListener('abort', onAbort);
  return promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  });
}

function interrupted(cause: Error, howToResume: string): TransferError {
  const minutes = giveUpAfterMs / 60_000;
  const sentence = `${cause.message} It was tried again for ${minutes} minutes. ${howToResume}`;
  return new TransferError('Interrupted', sentence, { cause });
}

/** Why the same work may succeed later: the hub cannot be reached or is busy, or answered with an internal error. */
type RetryableCause = 'Unavailable' | 'Broken';

const causeOfErrorKind: Readonly<Record<string, RetryableCause>> = {
  NotReady: 'Unavailable',
  Throttled: 'Unavailable',
  RateLimited: 'Unavailable',
  Internal: 'Broken',
};

/** Undefined for a permanent failure. */
function retryableCauseOf(error: unknown): RetryableCause | undefined {
  if (error instanceof TransferError) {
    if (error.fault === 'Interrupted') return 'Unavailable';
    return error.fault === 'Refused' ? causeOfStatus(error.status ?? 0) : undefined;
  }
  if (error instanceof ConnectError)
    return error.status === undefined ? 'Unavailable' : causeOfStatus(error.status);
  return error instanceof ActionError ? causeOfErrorKind[error.kind] : undefined;
}

function causeOfStatus(status: number): RetryableCause | undefined {
  if (status === 500) return 'Broken';
  // 501 and 507 (no space) are permanent.
  const isTemporary = status === 408 || status === 429 || (status > 500 && status !== 501 && status !== 507);
  return isTemporary ? 'Unavailable' : undefined;
}
