import { type AuditLogEvent, type Id, logFields } from '@corral/contract';
import type { QueryKey } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useMemo } from 'react';
import { actorText } from '../../parts/ActorView.tsx';
import type { ActorNames } from '../../parts/use-actor-names.ts';
import { useChangedRows } from '../../parts/use-changed-rows.ts';
import { useLast } from '../../parts/use-last.ts';
import { useUrlSearch } from '../../parts/use-url-search.ts';
import { logCopy } from './copy.ts';
import { logColumns } from './log-columns.tsx';
import { actorKey, matchesSearch, startOf } from './log-filter.ts';
import type { LogSearch } from './log-search.ts';
import { LogEntryDrawer } from './LogEntryDrawer.tsx';
import { LogFilters } from './LogFilters.tsx';
import { LogListPage } from './LogListPage.tsx';
import { type LogPages, type LogSource, useLogPages } from './use-log-pages.ts';
import { type LogSearchSource, useSearchedLog } from './use-searched-log.ts';
import { hubNow } from '../../data/hub-clock.ts';

/** The maximum number of entries that are loaded automatically for a range; more only on request. */
const autoLoadLimit = 2000;

/** The page of an audit log, filtered by the search parameters. `names` are the known names of its actors. */
export function LogPage<Key extends QueryKey>({
  pageQuery,
  sentOf,
  searchQuery,
  names,
  words,
  omit,
  causeOf,
}: Omit<LogSearchSource<EventsAnswer, Key>, 'fields'> & {
  pageQuery: EventsSource<Key>['pageQuery'];
  names: ActorNames;
  words: { readonly text: string; readonly emptyText: string };
  /** The key that is the same in all entries, which do not show it. */
  omit: string;
  /** What the drawer of an entry shows of its command or job. */
  causeOf?: ((entry: AuditLogEvent) => ReactNode) | undefined;
}) {
  const [search, change] = useUrlSearch<LogSearch>();
  const log = useLogPages({ pageQuery, entriesOf, idOf });
  const { entries } = log;
  // Only the log of the instance leads on to commands and jobs.
  const isAdmin = causeOf !== undefined;
  const nowMs = useRangeNow(search.range);
  const isShown = useCallback((entry: AuditLogEvent) => matchesSearch(entry, search, nowMs), [search, nowMs]);
  const loaded = useMemo(() => entries.filter(isShown), [entries, isShown]);
  const columns = useMemo(
    () =>
      logColumns({ names, isAdmin }, omit, {
        onType: (type) => change({ type }),
        onActor: (actor) => change({ actor: actorKey(actor) }),
      }),
    [names, isAdmin, omit, change],
  );
  const searched = useSearchedLog(
    search.q ?? '',
    { log, loaded, isShown, columns, idOf, older: logCopy.older },
    { fields: logFields, sentOf, searchQuery, rowsOf: entriesOf },
  );
  const { rows = none } = searched;
  const isOpenFound = rows.some(({ eventId }) => eventId === search.entry);
  const opened = useLast(search.entry);
  const place = rows.findIndex(({ eventId }) => eventId === opened);
  useWholeRange(log, { range: search.range, entry: isOpenFound ? undefined : search.entry, nowMs });
  return (
    <LogListPage
      {...{ log, searched }}
      fields={logFields}
      words={logCopy}
      meta={() => words.text}
      columns={columns}
      rowKey={keyOf}
      rowName={({ event }) => event}
      filterLabel={logCopy.filter}
      filters={<LogFilters search={search} actorName={actorName(entries, search, names)} onChange={change} />}
      isFiltered={[search.type, search.actor, search.range, search.action].some((part) => part !== undefined)}
      onClearFilters={() =>
        change({ type: undefined, actor: undefined, range: undefined, action: undefined })
      }
      csvName={logCopy.csvName}
      isChanged={useChangedRows(entries, keyOf, () => '', String(entries.at(-1)?.eventId))}
      onOpen={({ eventId }) => change({ entry: eventId })}
      empty={{
        icon: <ScrollText size={20} aria-hidden />,
        title: logCopy.emptyTitle,
        text: words.emptyText,
      }}
    >
      <LogEntryDrawer
        entry={rows[place] ?? entries.find(({ eventId }) => eventId === opened)}
        neighbours={place < 0 ? {} : { previous: rows[place - 1], next: rows[place + 1] }}
        isOpen={search.entry !== undefined}
        {...{ names, isAdmin, causeOf }}
        onOpen={({ eventId }) => change({ entry: eventId })}
        onClose={() => change({ entry: undefined })}
      />
    </LogListPage>
  );
}

type EventsSource<Key extends QueryKey> = LogSource<AuditLogEvent, Id<'auditEvent'>, EventsAnswer, Key>;

type EventsAnswer = { events: AuditLogEvent[]; next?: string | undefined };

const none: never[] = [];

function keyOf({ eventId }: AuditLogEvent): string {
  return eventId;
}

const entriesOf = ({ events }: { events: AuditLogEvent[] }) => events;
const idOf = ({ eventId }: AuditLogEvent) => eventId as Id<'auditEvent'>;

/** The end of the range in milliseconds since the epoch. */
function useRangeNow(range: LogSearch['range']): number {
  // Fixed per range, so that entries do not disappear while the user reads.
  // oxlint-disable-next-line react/exhaustive-deps
  return useMemo(() => hubNow(), [range]);
}

/** Loads older entries until the range is complete, and the open entry is loaded. */
function useWholeRange(
  log: LogPages<AuditLogEvent>,
  {
    range,
    entry,
    nowMs,
  }: { range: LogSearch['range'] | undefined; entry: string | undefined; nowMs: number },
): void {
  const oldest = log.entries.at(-1);
  const isIncomplete =
    log.hasOlder &&
    !log.isLoadingOlder &&
    log.failure === undefined &&
    log.entries.length < autoLoadLimit &&
    oldest !== undefined &&
    ((range !== undefined && Date.parse(oldest.createdAt) > startOf(range, nowMs)) ||
      (entry !== undefined && isNoLaterThan(entry, oldest)));
  const { loadOlder } = log;
  useEffect(() => {
    if (isIncomplete) loadOlder();
  }, [isIncomplete, loadOlder]);
}

// The id of an entry begins with the minute of its time.
function isNoLaterThan(entryId: string, oldest: AuditLogEvent): boolean {
  const [minute] = /^audit_ev_\d{8}-\d{4}/u.exec(entryId) ?? [];
  return (
    minute !== undefined && entryId !== oldest.eventId && minute <= oldest.eventId.slice(0, minute.length)
  );
}

function actorName(entries: readonly AuditLogEvent[], { actor }: LogSearch, names: ActorNames): string {
  const known = entries.find((entry) => actorKey(entry.actor) === actor)?.actor;
  return known === undefined ? (actor ?? '') : (actorText(known, names).split(' u_')[0] ?? '');
}
