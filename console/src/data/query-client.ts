import { ActionError, type ErrorKind } from '@corral/contract';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { bindHub, type Hub } from './hub.ts';
import { keepPatches } from './optimistic.ts';

const transientKinds: ReadonlySet<ErrorKind> = new Set(['NotReady', 'Throttled', 'Internal']);
const maxRetries = 3;

/** The options of `createQueryClient`. */
export interface QueryClientOptions {
  readonly hub: Hub;
  /** Called when the hub refuses a call because nobody is signed in (401). */
  readonly onSignedOut?: () => void;
  /** The delay before a retry, in milliseconds; tests shorten it. */
  readonly retryDelayMs?: (attempt: number, error: Error) => number;
}

/**
 * Creates the cache of the hub's answers. Reads that fail with a transient error are retried three times, no sooner than the hub
 * asks; refusals and writes are not retried. The browser's online state is ignored: a hub on the same machine needs no network.
 */
export function createQueryClient({
  hub,
  onSignedOut,
  retryDelayMs = waitBeforeRetry,
}: QueryClientOptions): QueryClient {
  const onError = (error: Error) => {
    if (isNotSignedIn(error)) onSignedOut?.();
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError, onSuccess: (_data, query) => keepPatches(client, query) }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { retry: isRetryable, retryDelay: retryDelayMs, networkMode: 'always', staleTime: 30_000 },
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

/** Whether an error says that something does not exist or is hidden from the user; the hub does not distinguish them. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ActionError && (error.kind === 'Invalid' || error.kind === 'Forbidden');
}

/** Whether the same read may succeed later. */
function isRetryable(failures: number, error: Error): boolean {
  return failures < maxRetries && error instanceof ActionError && transientKinds.has(error.kind);
}

/** Exponential backoff from 0.5 s to 10 s, and no sooner than the hub asked for. */
function waitBeforeRetry(attempt: number, error: Error): number {
  const retryAfterMs = error instanceof ActionError ? (error.retryAfterSecs ?? 0) * 1000 : 0;
  return Math.max(retryAfterMs, Math.min(10_000, 500 * 2 ** attempt));
}
