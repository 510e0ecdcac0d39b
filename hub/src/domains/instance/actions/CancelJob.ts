import { ActionError } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeAdministrator } from '../../users/index.ts';
import { cancelJob, lockJob } from '../sql/jobs.ts';

const open: ReadonlySet<string> = new Set(['created', 'retry', 'active']);

/** Cancels a job. The schedule adds the next one at its time. */
export const CancelJob: Handler<'jobs_CancelJob'> = {
  authorize: ({ tx, actor }) => mustBeAdministrator(tx, actor),

  async run({ tx, input, now, emit }) {
    const job = await lockJob(tx, input.jobId);
    if (job === undefined) throw notFound('Job');
    if (!open.has(job.state)) throw new ActionError('Invalid', 'This job has already ended.');
    await cancelJob(tx, job, now);
    emit('jobs_Cancelled', { jobId: input.jobId, job: job.name });
    return {};
  },
};
