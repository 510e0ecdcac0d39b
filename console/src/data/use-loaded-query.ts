import {
  type QueryClient,
  type QueryKey,
  useQueryClient,
  useSuspenseQuery,
  type UseSuspenseQueryOptions,
  type UseSuspenseQueryResult,
} from '@tanstack/react-query';
import { useState } from 'react';

/** The answer of a query that the loader of the route has started to read; in development it throws where the loader forgot it. */
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
