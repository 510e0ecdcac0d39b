import type { Id } from '@corral/contract';
import { actionQuery } from '../../../data/action-query.ts';
import { everyMinute } from '../../../data/intervals.ts';

/** The webhooks of a project, which rules can tell. */
export const webhooksOfProjectQuery = (projectId: Id<'project'>) =>
  actionQuery('projects_QueryWebhooks', { projectId }, everyMinute);
