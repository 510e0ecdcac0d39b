import { actionQuery } from '../../../data/action-query.ts';
import { everyMinute } from '../../../data/intervals.ts';

/** The counts of the instance. */
export const statisticsQuery = () => actionQuery('instance_GetInstanceStatistics', {}, everyMinute);
