import { ids } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustOwnWebhook, type ProjectAccess } from '../../projects/index.ts';

/** Deletes a webhook with its messages. */
export const DeleteWebhook: Handler<'projects_DeleteWebhook', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustOwnWebhook(tx, actor, input.webhookId),

  async run({ tx, input, emit }, { projectId }) {
    const deleted = await tx
      .deleteFrom('webhooks')
      .where('webhook_id', '=', ids.webhook.raw(input.webhookId))
      .returning('name')
      .executeTakeFirst();
    if (deleted === undefined) throw notFound('Webhook');
    const { webhookId } = input;
    emit('projects_WebhookDeleted', { projectId: ids.project.of(projectId), webhookId, name: deleted.name });
    return {};
  },
};
