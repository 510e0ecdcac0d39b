import { actionQuery } from '../../../data/action-query.ts';
import { everyFiveMinutes, everyMinute } from '../../../data/intervals.ts';
import { clusterQuery } from '../../../data/queries-account.ts';

/** The counts of the instance. */
export const statisticsQuery = () => actionQuery('instance_GetInstanceStatistics', {}, everyMinute);

/** The nodes of the cluster, whose load changes from minute to minute. */
export const nodesQuery = () => ({ ...clusterQuery(), ...everyMinute });

/** What the instance had over the last seven days, hour by hour. */
export const weekQuery = () => actionQuery('instance_QueryHistory', { range: 'Week' }, everyFiveMinutes);

/** The types of jobs that failed within a day. */
export const failuresQuery = () => actionQuery('jobs_SummarizeFailures', {}, everyMinute);

/** The e-mails that could not be sent. */
export const waitingMailsQuery = () => actionQuery('users_QueryWaitingMails', {}, everyMinute);
