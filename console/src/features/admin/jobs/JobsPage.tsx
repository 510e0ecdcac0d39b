import { useQuery } from '@tanstack/react-query';
import { ResourceListPage } from '../../../parts/ResourceListPage.tsx';
import { omitUndefined } from '../../../parts/search-values.ts';
import { searchedRows } from '../../../parts/searched-rows.ts';
import { useUrlSearch } from '../../../parts/use-url-search.ts';
import { FilterChips } from '../../../ui/form/FilterChips.tsx';
import { jobsCopy as words } from './copy.ts';
import { jobColumns } from './job-columns.tsx';
import { type JobsSearch, jobStatuses } from './jobs-search.ts';
import { type Job, jobCountsQuery, jobsQuery } from './jobs.ts';

/** The background jobs of the instance. */
export function JobsPage() {
  const [{ status }, change] = useUrlSearch<JobsSearch>();
  return (
    <ResourceListPage
      meta={() => words.text}
      source={searchedRows((asked) => jobsQuery(omitUndefined({ status, ...asked })), {
        rowsOf: ({ jobs }) => jobs,
        keyOf: ({ jobId }) => jobId,
        orders: ['id', 'timestamp', 'type', 'queued', 'status', 'attempts'],
      })}
      columns={jobColumns}
      rowKey={({ jobId }) => jobId}
      rowName={({ job }) => job}
      filterLabel={words.filter}
      filters={<StatusChips status={status} onChange={(next) => change({ status: next })} />}
      isFiltered={status !== undefined}
      onClearFilters={() => change({ status: undefined })}
      csvName={words.csvName}
      empty={{ title: words.emptyTitle, text: words.emptyText }}
    />
  );
}

function StatusChips({
  status,
  onChange,
}: {
  status: Job['status'] | undefined;
  onChange: (status: Job['status'] | undefined) => void;
}) {
  const { data: counts } = useQuery(jobCountsQuery());
  const countOf = {
    Pending: counts?.pending,
    Completed: counts?.completed,
    Failed: counts?.failed,
    Expired: counts?.expired,
    Cancelled: counts?.cancelled,
  };
  return (
    <FilterChips
      label={words.columns.status}
      value={status ?? 'all'}
      onValueChange={(next) => onChange(next === 'all' ? undefined : next)}
      chips={[
        { value: 'all' as const, label: words.statuses },
        ...jobStatuses.map((value) => ({ value, label: value, count: countOf[value] })),
      ]}
    />
  );
}
