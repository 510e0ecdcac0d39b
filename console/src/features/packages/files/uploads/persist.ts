import { ActionError, type ErrorKind } from '@corral/contract';
import { uploadsCopy } from './copy.ts';
import { Interruption, UploadProblem } from './UploadProblem.ts';

/** How to go on after interruptions. Times in milliseconds. */
export interface PersistOptions {
  readonly signal: AbortSignal;
  /** Grows while the work succeeds. */
  readonly progress: () => number;
  /** Called before each wait with the reason in a sentence. */
  readonly onPause: (reason: string) => void;
  /** Resolves after the time, or as soon as the browser is online again. */
  readonly wait: (durationMs: number, signal: AbortSignal) => Promise<void>;
  /** An offline browser waits as long as it is offline. */
  readonly isOffline: () => boolean;
  readonly nowMs: () => number;
  readonly random: () => number;
}

const firstWaitMs = 1_000;
const longestWaitMs = 15_000;
const giveUpAfterMs = 600_000;
const temporary: ReadonlySet<ErrorKind> = new Set(['NotReady', 'Throttled', 'RateLimited']);

/**
 * Repeats the work after interruptions, and after answers of a hub that is busy or restarts, until ten minutes have gone without progress. Other errors, and the reason
 * of the signal, are thrown at once.
 */
export async function persist<Result>(work: () => Promise<Result>, options: PersistOptions): Promise<Result> {
  const { signal, progress, onPause, wait, isOffline, nowMs, random } = options;
  let [failures, failingSinceMs, reached] = [0, 0, progress()];
  for (;;) {
    try {
      signal.throwIfAborted();
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      const retryAfterMs = retryAfterOf(error);
      if (retryAfterMs === undefined) throw error;
      if (progress() > reached) failures = 0;
      reached = progress();
      failures += 1;
      if (failures === 1 || isOffline()) failingSinceMs = nowMs();
      const { message } = error as Error;
      if (nowMs() - failingSinceMs > giveUpAfterMs)
        throw new UploadProblem(uploadsCopy.gaveUp(message), { cause: error });
      onPause(message);
      const ceilingMs = Math.min(longestWaitMs, firstWaitMs * 2 ** (failures - 1));
      await wait(Math.max(retryAfterMs, ceilingMs * (0.5 + random() / 2)), signal);
    }
  }
}

/** How long to wait at least; undefined for what trying again does not help. */
function retryAfterOf(error: unknown): number | undefined {
  if (error instanceof Interruption) return error.retryAfterMs;
  const isTemporary = error instanceof ActionError && temporary.has(error.kind);
  return isTemporary ? 1000 * (error.retryAfterSecs ?? 0) : undefined;
}

/** Waits; a browser that comes online again ends the wait. */
export function waitForLine(durationMs: number, signal: AbortSignal): Promise<void> {
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
