import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

// As long as the router keeps a page that was left.
const rememberedMs = 300_000;

/** What a list has left under a key by `useRemember`, for five minutes, so that Back finds the same. It ends with the session. */
export function useRemembered<Value>(key: string): Value | undefined {
  const queryKey = keyOf(key);
  // Observed, so that the five minutes begin when the page is left.
  useQuery({
    queryKey,
    queryFn: skipToken,
    gcTime: rememberedMs,
    structuralSharing: false,
    notifyOnChangeProps: [],
  });
  return useQueryClient().getQueryData<Value>(queryKey);
}

/** Leaves a value under a key for `useRemembered`; while it is undefined, what was left before stays. */
export function useRemember<Value>(key: string, value: Value | undefined): void {
  const client = useQueryClient();
  useEffect(() => {
    if (value !== undefined) client.setQueryData<Value>(keyOf(key), value as never);
  }, [client, key, value]);
}

function keyOf(key: string): readonly string[] {
  return ['remembered', key];
}
