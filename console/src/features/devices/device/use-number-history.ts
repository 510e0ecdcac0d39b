import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { recentChangesQuery } from '../queries.ts';

/** The numbers that properties had within the last day, oldest first, by name. */
export type NumberHistory = ReadonlyMap<string, readonly number[]>;

const dayMs = 86_400_000;

/** Reads the numbers that the properties of a device had within the last day, as far as the hub keeps their changes. */
export function useNumberHistory(deviceId: Id<'device'>): NumberHistory {
  const { data } = useQuery(recentChangesQuery(deviceId));
  return useMemo(() => {
    const history = new Map<string, number[]>();
    const newest = Date.parse(data?.entries[0]?.at ?? '');
    for (const { at, data: change } of (data?.entries ?? []).toReversed()) {
      const { name, value } = change as { name?: unknown; value?: unknown };
      if (typeof name !== 'string' || typeof value !== 'number' || Date.parse(at) < newest - dayMs) continue;
      history.set(name, [...(history.get(name) ?? []), value]);
    }
    return history;
  }, [data]);
}
