import type { Id } from '@corral/contract';
import { actionQuery } from '../../data/action-query.ts';

/** The device of a dot; other devices may take its place at any time. */
export const overviewDeviceQuery = (projectId: Id<'project'>, groupBy: string, index: number) =>
  actionQuery('projects_FindOverviewDevice', { projectId, groupBy, index }, { staleTime: 5000 });
