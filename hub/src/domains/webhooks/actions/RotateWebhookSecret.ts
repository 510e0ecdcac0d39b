import { ActionError, ids } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustOwnWebhook, type ProjectAccess } from '../../projects/index.ts';
import { newWebhookSecret } from '../policy/signature.ts';
import { formerSecretMs } from '../policy/webhook-rules.ts';
import { replaceSecret, targetOf } from '../sql/webhooks.ts';

/** Makes another secret; the former one signs beside it for a day, so that no message is refused while the receiver is changed. */
export const RotateWebhookSecret: Handler<'projects_RotateWebhookSecret', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustOwnWebhook(tx, actor, input.webhookId),

  async run({ tx, vault, input, now, emit }, { projectId }) {
    const webhookId = ids.webhook.raw(input.webhookId);
    const target = await targetOf(tx, webhookId);
    if (target !== undefined && target.format !== 'Standard')
      throw new ActionError(
        'Invalid',
        'Messages of this format are not signed: the URL is the secret. Change that.',
      );
    const secret = newWebhookSecret();
    const formerUntil = new Date(now.getTime() + formerSecretMs);
    const name = await replaceSecret(tx, vault, { webhookId, secret, formerUntil });
    if (name === undefined) throw notFound('Webhook');
    const of = { projectId: ids.project.of(projectId), webhookId: input.webhookId };
    emit('projects_WebhookSecretRotated', { ...of, name });
    return { secret, formerSecretUntil: formerUntil.toISOString() };
  },
};
