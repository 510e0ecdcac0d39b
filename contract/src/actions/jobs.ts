import { z } from 'zod';
import { query } from '../define.ts';
import { empty } from '../scalars.ts';
import { job } from '../shapes.ts';

/** The actions of background jobs. */
export const jobsActions = {
  jobs_QueryJobs: query({
    doc: 'Lists the background jobs, newest first; administrators only.',
    input: empty,
    output: z.object({ jobs: z.array(job) }),
  }),
} as const;
