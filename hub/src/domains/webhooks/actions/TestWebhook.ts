import { ActionError, ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustOwnWebhook, type ProjectAccess } from '../../projects/index.ts';
import { addMessage, testType } from '../sql/webhooks.ts';

/** Sends a message that nothing made, to see whether it arrives. */
export const TestWebhook: Handler<'projects_TestWebhook', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustOwnWebhook(tx, actor, input.webhookId),

  async run({ tx, input, actor, now }, { projectId }) {
    const rawId = ids.webhook.raw(input.webhookId);
    const { disabled } = await tx
      .selectFrom('webhooks')
      .select('disabled')
      .where('webhook_id', '=', rawId)
      .executeTakeFirstOrThrow();
    if (disabled !== null) throw new ActionError('Invalid', 'This webhook is disabled. Enable it first.');
    const data = { projectId: ids.project.of(projectId), actor: { ...actor } };
    const messageId = await addMessage(tx, rawId, { type: testType, data, now });
    return { messageId: ids.webhookMessage.of(messageId) };
  },
};
