import type { Id } from '@corral/contract';
import { hashKey, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { projectQuery } from '../../data/queries-projects.ts';
import { createThrottledRefresh } from '../../data/throttled-refresh.ts';

/**
 * Reads the overview again when the counts of the project were read, which connections make stale: the overview itself is not read for each
 * of them, but at most once a second, and not until three times as long as the last read has passed.
 */
export function useOverviewRefresh(projectId: Id<'project'>, queryKey: QueryKey): void {
  const client = useQueryClient();
  const [refresh] = useState(() => createThrottledRefresh(client));
  const { dataUpdatedAt } = useQuery(projectQuery(projectId));
  const seen = useRef(dataUpdatedAt);
  const hash = hashKey(queryKey);
  useEffect(() => {
    if (seen.current === dataUpdatedAt) return;
    seen.current = dataUpdatedAt;
    refresh.where((key) => hashKey(key) === hash);
  }, [refresh, hash, dataUpdatedAt]);
}
