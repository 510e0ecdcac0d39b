import type { CallInput, Output } from '@corral/contract';
import { actionMutation } from '../../../data/action-mutation.ts';
import { actionPageQuery, actionQuery } from '../../../data/action-query.ts';
import { everyMinute } from '../../../data/intervals.ts';
import { rowsPerPage } from '../../../parts/list-limits.ts';

/** A background job. */
export type Job = Output<'jobs_QueryJobs'>['jobs'][number];

/** The numbers of jobs of each status. */
export const jobCountsQuery = () => actionQuery('jobs_CountJobs', {}, everyMinute);

/** A page of the jobs, newest first unless another order is asked for; the hub searches and sorts. */
export const jobsQuery = (view: Omit<CallInput<'jobs_QueryJobs'>, 'limit'> = {}) =>
  actionPageQuery('jobs_QueryJobs', { limit: rowsPerPage, ...view }, everyMinute);
/** Queues a job that failed again. */
export const retryJob = actionMutation('jobs_RetryJob', 'jobs_Retried');
/** Cancels a job. */
export const cancelJob = actionMutation('jobs_CancelJob', 'jobs_Cancelled');
