import { ActionError } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeAdministrator } from '../../users/index.ts';
import { hasOtherOpenJob, lockJob, retryJob } from '../sql/jobs.ts';

/** Queues a failed job for another attempt, which begins with the next poll of the queue. */
export const RetryJob: Handler<'jobs_RetryJob'> = {
  authorize: ({ tx, actor }) => mustBeAdministrator(tx, actor),

  async run({ tx, input, now, emit }) {
    const job = await lockJob(tx, input.jobId);
    if (job === undefined) throw notFound('Job');
    if (job.state !== 'failed')
      throw new ActionError('Invalid', 'Only a job that failed can be tried again.');
    if (await hasOtherOpenJob(tx, job)) {
      throw new ActionError('Invalid', `Another ${job.name} already waits or runs; nothing was changed.`);
    }
    await retryJob(tx, job, now);
    emit('jobs_Retried', { jobId: input.jobId, job: job.name });
    return {};
  },
};
