import type { Output } from '@corral/contract';
import { actionMutation } from '../../../data/action-mutation.ts';
import { actionQuery } from '../../../data/action-query.ts';
import { everyMinute } from '../../../data/intervals.ts';

/** A background job. */
export type Job = Output<'jobs_QueryJobs'>['jobs'][number];

/** The first jobs, newest first. */
export const jobsQuery = (limit: number) => actionQuery('jobs_QueryJobs', { limit }, everyMinute);
/** Queues a job that failed again. */
export const retryJob = actionMutation('jobs_RetryJob', 'jobs_Retried');
/** Cancels a job. */
export const cancelJob = actionMutation('jobs_CancelJob', 'jobs_Cancelled');
