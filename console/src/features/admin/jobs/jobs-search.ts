import type { Output } from '@corral/contract';
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

/** The search parameters of the list of jobs. */
export type JobsSearch = TableSearch & { status?: JobStatus };

/** Parses the search parameters; invalid values are dropped. */
export function parseJobsSearch(search: Record<string, unknown>): JobsSearch {
  return asSearch({ ...parseTableSearch(search), status: searchChoice(search['status'], jobStatuses) });
}
