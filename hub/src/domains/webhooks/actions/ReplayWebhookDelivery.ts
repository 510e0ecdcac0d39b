import { ids } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustOwnWebhook, type ProjectAccess } from '../../projects/index.ts';
import { resendMessage } from '../sql/webhooks.ts';

/** Sends a message again, with the same id, by which a receiver that had it finds out. */
export const ReplayWebhookDelivery: Handler<'projects_ReplayWebhookDelivery', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustOwnWebhook(tx, actor, input.webhookId),

  async run({ tx, input, now }) {
    const [webhookId, messageId] = [
      ids.webhook.raw(input.webhookId),
      ids.webhookMessage.raw(input.messageId),
    ];
    if (!(await resendMessage(tx, webhookId, messageId, now))) throw notFound('Message');
    return {};
  },
};
