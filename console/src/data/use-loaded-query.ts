import {
  type QueryClient,
  type QueryKey,
  useQueryClient,
  useSuspenseQuery,
  type UseSuspenseQueryOptions,
  type UseSuspenseQueryResult,
} from '@tanstack/react-query';
import { useState } from 'react';

/**
 * The answer of a query that the loader of the route has read or started to read. In development it throws when the loader forgot the
 * query: the page would work, but show its content one round trip later than necessary.
 */
export function useLoadedQuery<Answer, Key extends QueryKey>(
  query: UseSuspenseQueryOptions<Answer, Error, Answer, Key>,
): UseSuspenseQueryResult<Answer> {
  const client = useQueryClient();
  // Only when mounted: later the cache may be cleared, when the session ends.
  useState(() => import.meta.env.DEV && requireLoaded(client, query.queryKey));
  return useSuspenseQuery(query);
}

function requireLoaded(client: QueryClient, queryKey: QueryKey): void {
  if (client.getQueryState(queryKey) !== undefined) return;
  throw new Error(
    `No loader has read ${JSON.stringify(queryKey)}: call ensureQueryData with this query in the loader of the route.`,
  );
}
