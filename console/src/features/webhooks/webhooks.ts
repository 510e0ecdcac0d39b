import type { Id, Output } from '@corral/contract';
import { actionPageQuery, actionQuery } from '../../data/action-query.ts';
import { everyMinute } from '../../data/intervals.ts';
import { rowsPerPage } from '../../parts/list-limits.ts';

/** A webhook of a project, without its secret. */
export type Webhook = Output<'projects_QueryWebhooks'>['webhooks'][number];

/** A message of a webhook, and what became of it. */
export type Delivery = Output<'projects_QueryWebhookDeliveries'>['deliveries'][number];

/** The webhooks of a project. */
export const webhooksQuery = (projectId: Id<'project'>) =>
  actionQuery('projects_QueryWebhooks', { projectId }, everyMinute);

/** A page of the messages of a webhook, newest first: of all, or of those that stand in one way. */
export const deliveriesQuery = (
  webhookId: Id<'webhook'>,
  status: Delivery['status'] | undefined,
  after?: string,
) =>
  actionPageQuery(
    'projects_QueryWebhookDeliveries',
    {
      webhookId,
      limit: rowsPerPage,
      ...(status === undefined ? {} : { status }),
      ...(after === undefined ? {} : { after }),
    },
    everyMinute,
  );
