import { commandFields, type Id, type Output } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { ListChecks } from 'lucide-react';
import { useMemo } from 'react';
import { useInstanceNames } from '../../../parts/use-instance-names.ts';
import { useLast } from '../../../parts/use-last.ts';
import { useUrlSearch } from '../../../parts/use-url-search.ts';
import { OptionalChips } from '../../../ui/form/OptionalChips.tsx';
import { logCopy } from '../copy.ts';
import {
  type ActionFilter,
  actionCountsQuery,
  actionsQuery,
  actionsSearchQuery,
} from '../instance-queries.ts';
import { ActiveFilter } from '../../../ui/table/ActiveFilter.tsx';
import { RangeChips } from '../LogFilters.tsx';
import { LogListPage } from '../LogListPage.tsx';
import { actorKey } from '../log-filter.ts';
import { useFirstFilter } from '../use-first-filter.ts';
import { useLogPages } from '../use-log-pages.ts';
import { useSearchedLog } from '../use-searched-log.ts';
import { actionColumns, type LoggedAction } from './action-columns.tsx';
import { ActionDrawer } from './ActionDrawer.tsx';
import { type ActionsSearch, actionStatuses } from './actions-search.ts';
import { FailedActions } from './FailedActions.tsx';

const words = logCopy.actions;
const entriesOf = ({ actions }: Output<'audit_QueryAuditLogActions'>) => actions;
const none: readonly LoggedAction[] = [];
const idOf = ({ actionId }: LoggedAction) => actionId as Id<'auditAction'>;

/** The commands of the instance with their outcome, as far as the hub's filter lets them through. */
export function ActionsPage(props: { filter: ActionFilter }) {
  const filter = useFirstFilter(props.filter);
  const [search, change] = useUrlSearch<ActionsSearch>();
  const names = useInstanceNames();
  const log = useLogPages({
    pageQuery: (page: { limit: number; before?: Id<'auditAction'> }) => actionsQuery(filter, page),
    entriesOf,
    idOf,
  });
  const columns = useMemo(
    () =>
      actionColumns(names, {
        onType: (type) => change({ type }),
        onActor: (actor) => change({ actor: actorKey(actor) }),
      }),
    [names, change],
  );
  const searched = useSearchedLog(
    search.q ?? '',
    { log, loaded: log.entries, columns, idOf, older: words.older },
    {
      fields: commandFields,
      sentOf: (typed) => typed,
      searchQuery: (page) => actionsSearchQuery(filter, page),
      rowsOf: entriesOf,
    },
  );
  const opened = useLast(search.entry);
  const { rows = none } = searched;
  const place = rows.findIndex((row) => idOf(row) === opened);
  const open = (row: LoggedAction) => change({ entry: idOf(row) });
  return (
    <LogListPage
      {...{ log, searched, words }}
      fields={commandFields}
      meta={() => words.text}
      intro={<FailedActions />}
      columns={columns}
      rowKey={idOf}
      rowName={({ action }) => action}
      filterLabel={words.filter}
      filters={<Filters search={search} onChange={change} />}
      isFiltered={[search.status, search.type, search.actor, search.range].some((part) => part !== undefined)}
      onClearFilters={() =>
        change({ status: undefined, type: undefined, actor: undefined, range: undefined })
      }
      csvName={words.csvName}
      onOpen={open}
      empty={{ icon: <ListChecks size={20} aria-hidden />, title: words.emptyTitle, text: words.emptyText }}
    >
      <ActionDrawer
        action={rows[place] ?? log.entries.find((row) => idOf(row) === opened)}
        neighbours={place < 0 ? {} : { previous: rows[place - 1], next: rows[place + 1] }}
        isOpen={search.entry !== undefined}
        names={names}
        onOpen={open}
        onClose={() => change({ entry: undefined })}
      />
    </LogListPage>
  );
}

function Filters({
  search: { status, type, actor, range },
  onChange,
}: {
  search: ActionsSearch;
  onChange: ReturnType<typeof useUrlSearch<ActionsSearch>>[1];
}) {
  const { data: counts } = useQuery(actionCountsQuery());
  const countOf = counts && {
    Pending: words.counted(counts.pending),
    Succeeded: undefined,
    Failed: words.counted(counts.failed),
    Rejected: words.counted(counts.rejected),
    Panicked: words.counted(counts.panicked),
  };
  return (
    <>
      <OptionalChips
        label={words.status}
        value={status}
        onValueChange={(status) => onChange({ status })}
        all={words.statuses}
        chips={actionStatuses.map((value) => ({ value, label: value, count: countOf?.[value] }))}
      />
      <RangeChips range={range} all={words.anyTime} onChange={(next) => onChange({ range: next })} />
      {type !== undefined && (
        <ActiveFilter name={logCopy.typeIs} value={type} onRemove={() => onChange({ type: undefined })} />
      )}
      {actor !== undefined && (
        <ActiveFilter name={logCopy.actorIs} value={actor} onRemove={() => onChange({ actor: undefined })} />
      )}
    </>
  );
}
