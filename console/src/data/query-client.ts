import { ActionError, type ErrorKind } from '@corral/contract';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { bindHub, type Hub } from './hub.ts';

const passing: ReadonlySet<ErrorKind> = new Set(['NotReady', 'Throttled', 'Internal']);
const maxRetries = 3;

/** What the cache tells the rest of the console. */
export interface QueryClientOptions {
  readonly hub: Hub;
  /** Hears of every call that the hub refused because nobody is signed in (401). */
  readonly onSignedOut?: () => void;
  /** The wait before another try, in milliseconds; tests make it short. */
  readonly retryDelayMs?: (attempt: number, error: Error) => number;
}

/**
 * The cache of everything that the hub has told. Reads that fail for a passing reason are tried three times more, as late as
 * the hub asks; refusals and writes are not. The browser's idea of being online is not asked: a hub on this very machine
 * needs no network.
 */
export function createQueryClient({
  hub,
  onSignedOut,
  retryDelayMs = waitBeforeRetry,
}: QueryClientOptions): QueryClient {
  const watch = (error: Error) => {
    if (isNotSignedIn(error)) onSignedOut?.();
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: watch }),
    mutationCache: new MutationCache({ onError: watch }),
    defaultOptions: {
      queries: { retry: isWorthRetry, retryDelay: retryDelayMs, networkMode: 'always', staleTime: 30_000 },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  bindHub(client, hub);
  return client;
}

/** Whether an error says that nobody is signed in. */
export function isNotSignedIn(error: unknown): boolean {
  return error instanceof ActionError && error.kind === 'NotSignedIn';
}

/** Whether an error says that the thing does not exist, or that the user may not know of it: the hub words both alike. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ActionError && (error.kind === 'Invalid' || error.kind === 'Forbidden');
}

/** Whether the same read may succeed a moment later. */
function isWorthRetry(failures: number, error: Error): boolean {
  return failures < maxRetries && error instanceof ActionError && passing.has(error.kind);
}

/** Half a second, doubled each time, at most 10 s; never sooner than the hub asked for. */
function waitBeforeRetry(attempt: number, error: Error): number {
  const askedMs = error instanceof ActionError ? (error.retryAfterSecs ?? 0) * 1000 : 0;
  return Math.max(askedMs, Math.min(10_000, 500 * 2 ** attempt));
}
