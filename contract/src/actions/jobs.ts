import { z } from 'zod';
import { command, query } from '../define.ts';
import { jobStatus } from '../enums.ts';
import { ids } from '../ids.ts';
import { orderOf, pagedQuery } from '../paging.ts';
import { empty, searchText, text, timestamp, uint32 } from '../scalars.ts';
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
      /** Whether the completed jobs of a type are one row, the newest, with their number; failed ones then come first by default. */
      isFolded: z.boolean().optional(),
      /** `-urgency`: failed and expired jobs before those that wait or run, these before all others, and each newest first. */
      order: orderOf(['urgency', 'id', 'timestamp', 'type', 'queued', 'status', 'attempts']).optional(),
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
  jobs_SummarizeFailures: query({
    doc: 'Groups the background jobs that failed or expired within the last 24 hours by their type, the latest first; administrators only.',
    reads: ['jobs'],
    input: empty,
    output: z.object({
      types: z.array(
        z.object({
          job: text,
          failures: uint32,
          /** The last of them, with when it ended and why. */
          jobId: ids.job.schema,
          failedAt: timestamp,
          error: text.optional(),
          /** Whether none of the type has completed since. */
          isFailing: z.boolean(),
        }),
      ),
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
