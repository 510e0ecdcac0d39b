import type { Id } from '@corral/contract';
import { actionQuery } from '../../data/action-query.ts';
import { everyFiveMinutes } from '../../data/intervals.ts';

/** The labels of the devices of a project with their values, as far as a sample of the devices tells. */
export const deviceLabelsQuery = (projectId: Id<'project'>) =>
  actionQuery('projects_GetDeviceLabels', { projectId }, everyFiveMinutes);

/** The most names of fields that are read at once. */
export const maxFilterNames = 500;

/** The names of properties and metadata, beginning with a prefix, that a filter of the devices of a project may use. */
export const filterFieldsQuery = (projectId: Id<'project'>, prefix = '') =>
  actionQuery(
    'projects_QueryFilterFields',
    { projectId, limit: maxFilterNames, ...(prefix === '' ? {} : { prefix }) },
    everyFiveMinutes,
  );
