import type { AuditLogEvent, Id } from '@corral/contract';
import {
  type FetchQueryOptions,
  type QueryKey,
  type UseSuspenseQueryOptions,
  useQueryClient,
} from '@tanstack/react-query';
import { useState } from 'react';
import { useLoadedQuery } from '../../data/use-loaded-query.ts';
import { messageOf } from '../../ui/form/message-of.ts';

/** The number of entries per read. */
export const logPageSize = 200;

type Answer = { events: AuditLogEvent[] };

/** The query of `limit` entries of a log, newest first: the newest, or those before an entry. */
export type LogPageQuery<Key extends QueryKey> = (page: {
  limit: number;
  before?: Id<'auditEvent'>;
}) => UseSuspenseQueryOptions<Answer, Error, Answer, Key> & FetchQueryOptions<Answer, Error, Answer, Key>;

/** The loaded entries of a log, the number of newer ones, and functions that load more. */
export type LogPages = {
  entries: readonly AuditLogEvent[];
  /** The number of entries that are newer than the shown ones. */
  newCount: number;
  /** Whether there may be more new entries than `newCount`. */
  hasMoreNew: boolean;
  showNewEntries: () => void;
  hasOlder: boolean;
  isLoadingOlder: boolean;
  failure: string | undefined;
  loadOlder: () => void;
};

/**
 * The entries of a log, newest first. New entries are not inserted until `showNewEntries` is called, so that nothing moves while the
 * user reads; older pages are loaded on request.
 */
export function useLogPages<Key extends QueryKey>(pageQuery: LogPageQuery<Key>): LogPages {
  const client = useQueryClient();
  const head = useLoadedQuery(pageQuery({ limit: logPageSize })).data.events;
  const [shown, setShown] = useState(head);
  const [hasOlder, setHasOlder] = useState(head.length >= logPageSize);
  const [isLoadingOlder, setIsLoadingOlder] = useState(false);
  const [failure, setFailure] = useState<string>();
  const known = shown[0]?.eventId;
  const at = head.findIndex(({ eventId }) => eventId === known);
  const newCount = at < 0 ? head.length : at;
  const hasMoreNew = at < 0 && known !== undefined && head.length >= logPageSize;
  // An empty list shows new entries at once, because nothing can move.
  if (shown.length === 0 && head.length > 0) setShown(head);
  function showNewEntries(): void {
    setShown(hasMoreNew ? head : [...head.slice(0, newCount), ...shown]);
    if (hasMoreNew) setHasOlder(true);
  }
  async function loadOlder(): Promise<void> {
    const last = shown.at(-1);
    if (last === undefined || isLoadingOlder) return;
    setIsLoadingOlder(true);
    setFailure(undefined);
    try {
      const page = { limit: logPageSize, before: last.eventId as Id<'auditEvent'> };
      const { events } = await client.fetchQuery(pageQuery(page));
      setShown((now) => [...now, ...events]);
      setHasOlder(events.length >= logPageSize);
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setIsLoadingOlder(false);
    }
  }
  return {
    entries: shown,
    newCount,
    hasMoreNew,
    showNewEntries,
    hasOlder,
    isLoadingOlder,
    failure,
    loadOlder: () => void loadOlder(),
  };
}
