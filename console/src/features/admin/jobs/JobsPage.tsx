import { useQuery } from '@tanstack/react-query';
import { ResourceListPage } from '../../../parts/ResourceListPage.tsx';
import { searchedRows } from '../../../parts/searched-rows.ts';
import { useUrlSearch } from '../../../parts/use-url-search.ts';
import { FilterChips } from '../../../ui/form/FilterChips.tsx';
import { jobsCopy as words } from './copy.ts';
import { jobColumns } from './job-columns.tsx';
import { type JobsSearch, jobStatuses, jobsViewOf } from './jobs-search.ts';
import { jobCountsQuery, jobsQuery } from './jobs.ts';

/** The background jobs of the instance. */
export function JobsPage() {
  const [search, change] = useUrlSearch<JobsSearch>();
  const { status } = search;
  const view = jobsViewOf(search);
  return (
    <ResourceListPage
      meta={() => words.text}
      source={searchedRows((asked) => jobsQuery({ ...view, ...asked }), {
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
  status: JobsSearch['status'];
  onChange: (status: JobsSearch['status']) => void;
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
      value={status ?? 'latest'}
      onValueChange={(next) => onChange(next === 'latest' ? undefined : next)}
      chips={[
        { value: 'latest' as const, label: words.latest },
        { value: 'All' as const, label: words.statuses },
        ...jobStatuses.map((value) => ({ value, label: value, count: countOf[value] })),
      ]}
    />
  );
}
