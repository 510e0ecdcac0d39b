import type { Id } from '@corral/contract';
import { actionPageQuery, actionQuery } from '../../../data/action-query.ts';
import { everyMinute } from '../../../data/intervals.ts';

/** The webhooks of a project, which rules can tell. */
export const webhooksOfProjectQuery = (projectId: Id<'project'>) =>
  actionQuery('projects_QueryWebhooks', { projectId }, everyMinute);

const newest = 20;

/** The newest messages of a webhook: a test is among them. */
export const newestMessagesQuery = (webhookId: Id<'webhook'>) =>
  actionPageQuery('projects_QueryWebhookDeliveries', { webhookId, limit: newest }, everyMinute);
