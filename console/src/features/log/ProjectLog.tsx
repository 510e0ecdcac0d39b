import type { AuditLogEvent, Id } from '@corral/contract';
import { ScrollText, X } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { logCopy } from './copy.ts';
import { terms } from '../../copy/terms.ts';
import { Button } from '../../ui/action/Button.tsx';
import { FilterChips } from '../../ui/form/FilterChips.tsx';
import { EmptyState } from '../../ui/layout/EmptyState.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { NewRowsPill } from '../../parts/NewRowsPill.tsx';
import { CopyLinkButton } from '../../parts/CopyLinkButton.tsx';
import { omitUndefined } from '../../parts/search-values.ts';
import { useChangedRows } from '../../parts/use-changed-rows.ts';
import { useUrlText } from '../../parts/use-url-text.ts';
import { actorText } from '../../parts/ActorView.tsx';
import { logColumns } from './log-columns.tsx';
import { LogEntryDrawer } from './LogEntryDrawer.tsx';
import { actorKey, matchesSearch, logRanges, type LogSearch, startOf } from './log-search.ts';
import { useActorNames } from '../../parts/use-actor-names.ts';
import { type ProjectLogPages, useProjectLog } from './use-project-log.ts';

/** The maximum number of entries that are loaded automatically for a range; more only on request. */
const autoLoadLimit = 2000;

/** The audit log of a project, filtered by the search parameters. */
export function ProjectLog({
  projectId,
  search,
  onSearchChange,
}: {
  projectId: Id<'project'>;
  search: LogSearch;
  onSearchChange: (search: LogSearch) => void;
}) {
  const log = useProjectLog(projectId);
  const names = useActorNames(projectId);
  const nowMs = useRangeNow(search.range, log);
  const change = (next: LogSearch) => onSearchChange(omitUndefined({ ...search, ...next }));
  const [filter, setFilter] = useUrlText(search.q ?? '', (q) =>
    change({ q: q === '' ? undefined : q } as LogSearch),
  );
  const rows = useMemo(
    () => log.entries.filter((entry) => matchesSearch(entry, search, nowMs)),
    [log.entries, search, nowMs],
  );
  const columns = useMemo(
    () =>
      logColumns(names, {
        onType: (type) => onSearchChange({ ...search, type }),
        onActor: (actor) => onSearchChange({ ...search, actor: actorKey(actor) }),
      }),
    [names, search, onSearchChange],
  );
  const isNew = useChangedRows(log.entries, keyOf, () => '', String(log.entries.at(-1)?.eventId));
  const isFiltered = [search.type, search.actor, search.range].some((part) => part !== undefined);
  const entry = log.entries.find(({ eventId }) => eventId === search.entry);
  return (
    <Page>
      <PageHeader title={terms.sections.log} meta={logCopy.text} />
      <DataTable
        label={terms.sections.log}
        columns={columns}
        rows={rows}
        rowKey={keyOf}
        rowName={({ event }) => event}
        filter={filter}
        onFilterChange={setFilter}
        filterLabel={logCopy.filter}
        filters={
          <Filters {...{ search, onSearchChange }} actorLabel={actorLabel(log.entries, search, names)} />
        }
        isFiltered={isFiltered}
        onClearFilters={() => onSearchChange({})}
        aside={<CopyLinkButton />}
        csvName={logCopy.csvName}
        isChanged={isNew}
        onOpen={({ eventId }) => change({ entry: eventId })}
        empty={
          <div className="rounded-card border border-line bg-surface">
            <EmptyState
              icon={<ScrollText size={20} aria-hidden />}
              title={logCopy.emptyTitle}
              text={logCopy.emptyText}
            />
          </div>
        }
      />
      <Older log={log} />
      <NewRowsPill
        text={
          log.newCount > 0
            ? logCopy.newEntries(`${log.newCount}${log.hasMoreNew ? '+' : ''}`, log.newCount === 1)
            : undefined
        }
        onShow={log.showNewEntries}
      />
      <LogEntryDrawer
        entry={useLast(entry)}
        isOpen={search.entry !== undefined}
        names={names}
        onClose={() => {
          const { entry: _closed, ...rest } = search;
          onSearchChange(rest);
        }}
      />
    </Page>
  );
}

function keyOf({ eventId }: AuditLogEvent): string {
  return eventId;
}

// Keeps the entry while the drawer's closing animation runs.
function useLast<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}

/** The end of the range in milliseconds since the epoch; also loads older entries until the range is complete. */
function useRangeNow(range: LogSearch['range'], log: ProjectLogPages): number {
  // Fixed per range, so that entries do not disappear while the user reads.
  // oxlint-disable-next-line react/exhaustive-deps
  const nowMs = useMemo(() => Date.now(), [range]);
  const oldest = log.entries.at(-1);
  const isIncomplete =
    range !== undefined &&
    log.hasOlder &&
    !log.isLoadingOlder &&
    log.failure === undefined &&
    log.entries.length < autoLoadLimit &&
    oldest !== undefined &&
    Date.parse(oldest.createdAt) > startOf(range, nowMs);
  const { loadOlder } = log;
  useEffect(() => {
    if (isIncomplete) loadOlder();
  }, [isIncomplete, loadOlder]);
  return nowMs;
}

function actorLabel(
  entries: readonly AuditLogEvent[],
  { actor }: LogSearch,
  names: ReturnType<typeof useActorNames>,
): string {
  const known = entries.find((entry) => actorKey(entry.actor) === actor)?.actor;
  return known === undefined ? (actor ?? '') : (actorText(known, names).split(' u_')[0] ?? '');
}

function Filters({
  search,
  onSearchChange,
  actorLabel: who,
}: {
  search: LogSearch;
  onSearchChange: (search: LogSearch) => void;
  actorLabel: string;
}) {
  const { type, actor, range, ...rest } = search;
  return (
    <>
      <FilterChips
        label={logCopy.range}
        value={range ?? 'all'}
        onValueChange={(next) =>
          onSearchChange(omitUndefined({ ...rest, type, actor, range: next === 'all' ? undefined : next }))
        }
        chips={(['all', ...logRanges] as const).map((value) => ({ value, label: logCopy.ranges[value] }))}
      />
      {type !== undefined && (
        <ActiveFilter
          name={logCopy.typeIs}
          value={type}
          onRemove={() => onSearchChange(omitUndefined({ ...rest, actor, range }))}
        />
      )}
      {actor !== undefined && (
        <ActiveFilter
          name={logCopy.actorIs}
          value={who}
          onRemove={() => onSearchChange(omitUndefined({ ...rest, type, range }))}
        />
      )}
    </>
  );
}

/** An active filter with a button that removes it. */
function ActiveFilter({ name, value, onRemove }: { name: string; value: string; onRemove: () => void }) {
  return (
    <button
      type="button"
      aria-label={logCopy.remove(`${name} ${value}`)}
      onClick={onRemove}
      className="inline-flex h-8 max-w-80 items-center gap-1.5 rounded-full border border-denim-wash bg-denim-wash px-3 text-label text-ink max-sm:h-9 pointer-coarse:h-11"
    >
      <span className="font-normal text-ink2">{name}</span>
      <span className="truncate">{value}</span>
      <X size={14} aria-hidden className="shrink-0 text-ink3" />
    </button>
  );
}

function Older({ log }: { log: ProjectLogPages }) {
  if (log.entries.length === 0) return null;
  return (
    <div className="flex flex-col items-center gap-2 py-4 text-body text-ink3 print:hidden">
      {log.hasOlder ? (
        <Button loading={log.isLoadingOlder} onClick={log.loadOlder}>
          {logCopy.older}
        </Button>
      ) : (
        logCopy.end
      )}
      {log.failure !== undefined && (
        <p role="alert" className="text-danger">
          {log.failure}
        </p>
      )}
    </div>
  );
}
