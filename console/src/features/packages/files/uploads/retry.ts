import { ActionError, type ErrorKind } from '@corral/contract';
import { uploadsCopy } from './copy.ts';
import { Interruption, UploadProblem } from './UploadProblem.ts';

/** When to retry. Times are in milliseconds. */
export interface RetryOptions {
  readonly signal: AbortSignal;
  /** Grows while the work succeeds. */
  readonly progress: () => number;
  /** Called before each wait with the reason in a sentence. */
  readonly onPause: (reason: string) => void;
  /** Resolves after the time, or as soon as the browser is online again. */
  readonly wait: (durationMs: number, signal: AbortSignal) => Promise<void>;
  /** Time offline does not count towards the ten minutes. */
  readonly isOffline: () => boolean;
  readonly nowMs: () => number;
  readonly random: () => number;
}

const initialCeilingMs = 1_000;
const maxCeilingMs = 15_000;
const giveUpAfterMs = 600_000;
/** Also what fails inside the hub: like a status of 500 to a part of the file, it most often passes. */
const temporaryKinds: ReadonlySet<ErrorKind> = new Set(['NotReady', 'Throttled', 'RateLimited', 'Internal']);

/**
 * Retries the work after interruptions, and while the hub is busy or restarts, with exponential backoff, until ten minutes pass without progress. Rejects at once with
 * other errors and with the reason of the signal.
 */
export async function withRetries<Result>(
  work: () => Promise<Result>,
  options: RetryOptions,
): Promise<Result> {
  const { signal, progress, onPause, wait, isOffline, nowMs, random } = options;
  let [failures, failingSinceMs, lastProgress] = [0, 0, progress()];
  for (;;) {
    try {
      signal.throwIfAborted();
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      const retryAfterMs = retryAfterOf(error);
      if (retryAfterMs === undefined) throw error;
      if (progress() > lastProgress) failures = 0;
      lastProgress = progress();
      failures += 1;
      if (failures === 1 || isOffline()) failingSinceMs = nowMs();
      const { message } = error as Error;
      if (nowMs() - failingSinceMs > giveUpAfterMs)
        throw new UploadProblem(uploadsCopy.gaveUp(message), { cause: error });
      onPause(message);
      const ceilingMs = Math.min(maxCeilingMs, initialCeilingMs * 2 ** (failures - 1));
      await wait(Math.max(retryAfterMs, ceilingMs * (0.5 + random() / 2)), signal);
    }
  }
}

/** The minimum wait; undefined for errors that are not temporary. */
function retryAfterOf(error: unknown): number | undefined {
  if (error instanceof Interruption) return error.retryAfterMs;
  const isTemporary = error instanceof ActionError && temporaryKinds.has(error.kind);
  return isTemporary ? 1000 * (error.retryAfterSecs ?? 0) : undefined;
}

/** Waits for the time, or until the browser is online again. */
export function waitUntilOnline(durationMs: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, durationMs);
  const onEvent = (): void => resolve();
  window.addEventListener('online', onEvent);
  signal.addEventListener('abort', onEvent);
  return promise.finally(() => {
    clearTimeout(timer);
    window.removeEventListener('online', onEvent);
    signal.removeEventListener('abort', onEvent);
  });
}
