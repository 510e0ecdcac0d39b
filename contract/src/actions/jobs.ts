import { z } from 'zod';
import { pagedQuery } from '../paging.ts';
import { empty } from '../scalars.ts';
import { job } from '../shapes.ts';

/** Actions on background jobs. */
export const jobsActions = {
  jobs_QueryJobs: pagedQuery({
    doc: 'Lists the background jobs, newest first; administrators only.',
    reads: [],
    input: empty,
    output: z.object({ jobs: z.array(job) }),
  }),
} as const;
