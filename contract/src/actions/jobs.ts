import { z } from 'zod';
import { command, query } from '../define.ts';
import { jobStatus } from '../enums.ts';
import { ids } from '../ids.ts';
import { orderOf, pagedQuery } from '../paging.ts';
import { empty, searchText, uint32 } from '../scalars.ts';
import { job } from '../shapes.ts';

/** Actions on background jobs. */
export const jobsActions = {
  jobs_QueryJobs: pagedQuery({
    doc: 'Lists the background jobs, newest first unless another order is asked for; administrators only.',
    reads: ['jobs'],
    input: z.object({
      /** Only jobs whose type, status or error contains this, in any case, or whose id this is. */
      search: searchText.optional(),
      /** Only jobs with this status. */
      status: jobStatus.optional(),
      order: orderOf(['id', 'timestamp', 'type', 'queued', 'status', 'attempts']).optional(),
    }),
    output: z.object({ jobs: z.array(job) }),
  }),
  jobs_CountJobs: query({
    doc: 'Counts the background jobs by their status; administrators only.',
    reads: ['jobs'],
    input: empty,
    output: z.object({
      pending: uint32,
      completed: uint32,
      failed: uint32,
      expired: uint32,
      cancelled: uint32,
    }),
  }),
  jobs_RetryJob: command({
    doc: 'Queues a job that failed or expired for another attempt; administrators only.',
    input: z.object({ jobId: ids.job.schema }),
    output: empty,
  }),
  jobs_CancelJob: command({
    doc: 'Cancels a job that waits or runs: no further attempt begins, and the outcome of a running one is ignored; administrators only.',
    input: z.object({ jobId: ids.job.schema }),
    output: empty,
  }),
} as const;
