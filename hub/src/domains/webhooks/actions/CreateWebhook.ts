import { ids } from '@corral/contract';
import { mustBeName } from '../../../auth/names.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustOwnProject, type ProjectAccess } from '../../projects/index.ts';
import { newWebhookSecret } from '../policy/signature.ts';
import { hostOf, mustBeEventTypes, mustBeReceiver } from '../policy/webhook-rules.ts';
import { addWebhook } from '../sql/webhooks.ts';

/** Creates a webhook; only owners may, since it takes what happens in the project elsewhere. */
export const CreateWebhook: Handler<'projects_CreateWebhook', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustOwnProject(tx, actor, input.projectId),

  async run({ tx, vault, input, actor, now, emit }, { projectId }) {
    const name = mustBeName(input.name, 'name');
    const format = input.format ?? 'Standard';
    const url = mustBeReceiver(input.url, format);
    mustBeEventTypes(input.types);
    const secret = newWebhookSecret();
    const { types } = input;
    const rawId = await addWebhook(tx, vault, { projectId, name, url, types, format, secret, actor, now });
    const webhookId = ids.webhook.of(rawId);
    emit('projects_WebhookCreated', {
      projectId: input.projectId,
      webhookId,
      name,
      format,
      host: hostOf(url),
    });
    return { webhookId, ...(format === 'Standard' ? { secret } : {}) };
  },
};
