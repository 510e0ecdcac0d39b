import type { CallInput, Output } from '@corral/contract';
import { asSearch, searchChoice } from '../../../parts/search-values.ts';
import { parseTableSearch, type TableSearch } from '../../../parts/table-search.ts';

/** The states of jobs, in the order in which they are offered. */
export const jobStatuses = [
  'Pending',
  'Completed',
  'Failed',
  'Expired',
  'Cancelled',
] as const satisfies readonly JobStatus[];

type JobStatus = Output<'jobs_QueryJobs'>['jobs'][number]['status'];

/** The search parameters of the list of jobs; without a status the completed jobs of a type are one row. */
export type JobsSearch = TableSearch & { status?: JobStatus | 'All' };

/** Parses the search parameters; invalid values are dropped. */
export function parseJobsSearch(search: Record<string, unknown>): JobsSearch {
  return asSearch({
    ...parseTableSearch(search),
    status: searchChoice(search['status'], ['All', ...jobStatuses] as const),
  });
}

/** What the hub is asked for. Whoever looks for one job by its id means that one, however many others are like it. */
export function jobsViewOf({ status, q = '' }: JobsSearch): CallInput<'jobs_QueryJobs'> {
  if (status === undefined) return q.startsWith('job_') ? {} : { isFolded: true };
  return status === 'All' ? {} : { status };
}
