import {
  type FetchQueryOptions,
  type QueryClient,
  type QueryKey,
  type UseSuspenseQueryOptions,
  useQueryClient,
} from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useLoadedQuery } from '../../data/use-loaded-query.ts';
import { readAllRows } from '../../parts/read-all-rows.ts';
import { useRemember, useRemembered } from '../../parts/use-remembered.ts';
import { messageOf } from '../../ui/form/message-of.ts';
import type { ReadAllRows } from '../../ui/table/data-table.ts';

/** The number of entries per read. All of a page are rendered, some 60 elements each: 200 of them took a second on a slow computer. */
export const logPageSize = 100;
/** The number of entries per read of an export, which renders none: as many as the hub returns. */
const exportPageSize = 1000;

/** How a log is read: the query of `limit` entries, newest first, the newest or those before an entry, and what is in its answer. */
export interface LogSource<Entry, EntryId extends string, Answer, Key extends QueryKey> {
  readonly pageQuery: (page: {
    limit: number;
    before?: EntryId;
  }) => UseSuspenseQueryOptions<Answer, Error, Answer, Key> & FetchQueryOptions<Answer, Error, Answer, Key>;
  readonly entriesOf: (answer: Answer) => readonly Entry[];
  readonly idOf: (entry: Entry) => EntryId;
}

/** The loaded entries of a log, the number of newer ones, and functions that load more. */
export type LogPages<Entry> = {
  entries: readonly Entry[];
  /** The number of entries that are newer than the shown ones. */
  newCount: number;
  /** Whether there may be more new entries than `newCount`. */
  hasMoreNew: boolean;
  showNewEntries: () => void;
  hasOlder: boolean;
  isLoadingOlder: boolean;
  failure: string | undefined;
  loadOlder: () => void;
  /** Reads all entries; undefined where `entries` are all. */
  readAllRows: ReadAllRows<Entry> | undefined;
};

/** The entries of a log, newest first. New ones wait for `showNewEntries`, so that nothing moves; older pages are loaded on request. */
export function useLogPages<Entry, EntryId extends string, Answer, Key extends QueryKey>({
  pageQuery,
  entriesOf,
  idOf,
}: LogSource<Entry, EntryId, Answer, Key>): LogPages<Entry> {
  const client = useQueryClient();
  const readAll = readAllEntries(client, { pageQuery, entriesOf, idOf });
  const headQuery = pageQuery({ limit: logPageSize });
  const head = entriesOf(useLoadedQuery(headQuery).data);
  const [{ shown, hasOlder }, setLoaded] = useLoaded(JSON.stringify(headQuery.queryKey), head);
  const [isLoadingOlder, setIsLoadingOlder] = useState(false);
  const [failure, setFailure] = useState<string>();
  const known = shown[0] && idOf(shown[0]);
  const at = head.findIndex((entry) => idOf(entry) === known);
  const waiting = at < 0 ? head : head.slice(0, at);
  const newCount = waiting.length;
  const hasMoreNew = at < 0 && known !== undefined && head.length >= logPageSize;
  // An empty list shows new entries at once, because nothing can move.
  if (shown.length === 0 && head.length > 0) setLoaded(newest(head));
  function showNewEntries(): void {
    setLoaded(hasMoreNew ? newest(head) : { shown: [...waiting, ...shown], hasOlder });
  }
  async function loadOlder(): Promise<void> {
    const last = shown.at(-1);
    if (last === undefined || isLoadingOlder) return;
    setIsLoadingOlder(true);
    setFailure(undefined);
    try {
      const older = entriesOf(await client.fetchQuery(pageQuery({ limit: logPageSize, before: idOf(last) })));
      setLoaded((now) => ({
        shown: [...now.shown, ...older],
        hasOlder: older.length >= logPageSize,
      }));
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setIsLoadingOlder(false);
    }
  }
  return {
    entries: useLatest(shown, head, idOf),
    newCount,
    hasMoreNew,
    showNewEntries,
    hasOlder,
    isLoadingOlder,
    failure,
    loadOlder: () => void loadOlder(),
    readAllRows: hasOlder || newCount > 0 ? readAll : undefined,
  };
}

/** The entries of a log that were loaded. */
interface Loaded<Entry> {
  readonly shown: readonly Entry[];
  readonly hasOlder: boolean;
}

/** The entries that were loaded when the log was left, or the newest. */
function useLoaded<Entry>(log: string, head: readonly Entry[]) {
  const left = useRemembered<Loaded<Entry>>(log);
  const state = useState(left ?? newest(head));
  useRemember(log, state[0].shown.length > logPageSize ? state[0] : undefined);
  return state;
}

function newest<Entry>(head: readonly Entry[]): Loaded<Entry> {
  return { shown: head, hasOlder: head.length >= logPageSize };
}

function readAllEntries<Entry, EntryId extends string, Answer, Key extends QueryKey>(
  client: QueryClient,
  { pageQuery, entriesOf, idOf }: LogSource<Entry, EntryId, Answer, Key>,
): ReadAllRows<Entry> {
  return readAllRows(async (before: EntryId | undefined) => {
    const page = { limit: exportPageSize, ...(before === undefined ? {} : { before }) };
    const rows = entriesOf(await client.fetchQuery({ ...pageQuery(page), gcTime: 0 }));
    const last = rows.length < exportPageSize ? undefined : rows.at(-1);
    return { rows, next: last && idOf(last) };
  }, idOf);
}

/** The shown entries as they were read last: the outcome of a command changes when it ends. */
function useLatest<Entry, EntryId>(
  shown: readonly Entry[],
  head: readonly Entry[],
  idOf: (entry: Entry) => EntryId,
): readonly Entry[] {
  return useMemo(() => {
    const read = new Map(head.map((entry) => [idOf(entry), entry]));
    return shown.map((entry) => read.get(idOf(entry)) ?? entry);
  }, [head, shown, idOf]);
}
