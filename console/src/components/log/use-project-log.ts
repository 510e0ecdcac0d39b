import type { AuditLogEvent, Id } from '@corral/contract';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { projectLogQuery } from '../../data/queries-projects.ts';

/** How many entries are read at once. */
export const logPageSize = 200;

/** A log as it is read: what shows, what has come since, and the way to older entries. */
export type ReadLog = {
  entries: readonly AuditLogEvent[];
  /** How many entries are newer than those that show. */
  arrivals: number;
  /** Whether there may be even more new entries than that. */
  isMany: boolean;
  showNewEntries: () => void;
  hasOlder: boolean;
  isLoadingOlder: boolean;
  failure: string | undefined;
  loadOlder: () => void;
};

/**
 * The log of a project, newest first. What comes in while somebody reads waits until they ask for it, so that nothing moves
 * under their eyes; older pages are read on request.
 */
export function useProjectLog(projectId: Id<'project'>): ReadLog {
  const client = useQueryClient();
  const head = useSuspenseQuery(projectLogQuery(projectId, { limit: logPageSize })).data.events;
  const [shown, setShown] = useState(head);
  const [hasOlder, setHasOlder] = useState(head.length >= logPageSize);
  const [isLoadingOlder, setIsLoadingOlder] = useState(false);
  const [failure, setFailure] = useState<string>();
  const known = shown[0]?.eventId;
  const at = head.findIndex(({ eventId }) => eventId === known);
  const arrivals = at < 0 ? head.length : at;
  const isMany = at < 0 && known !== undefined && head.length >= logPageSize;
  // An empty page has nothing that could move.
  if (shown.length === 0 && head.length > 0) setShown(head);
  function showNewEntries(): void {
    setShown(isMany ? head : [...head.slice(0, arrivals), ...shown]);
    if (isMany) setHasOlder(true);
  }
  async function loadOlder(): Promise<void> {
    const last = shown.at(-1);
    if (last === undefined || isLoadingOlder) return;
    setIsLoadingOlder(true);
    setFailure(undefined);
    try {
      const page = { limit: logPageSize, before: last.eventId as Id<'auditEvent'> };
      const { events } = await client.fetchQuery(projectLogQuery(projectId, page));
      setShown((now) => [...now, ...events]);
      setHasOlder(events.length >= logPageSize);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      setIsLoadingOlder(false);
    }
  }
  return {
    entries: shown,
    arrivals,
    isMany,
    showNewEntries,
    hasOlder,
    isLoadingOlder,
    failure,
    loadOlder: () => void loadOlder(),
  };
}
