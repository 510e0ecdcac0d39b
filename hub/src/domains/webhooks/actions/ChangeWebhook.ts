import { ids } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import { mustBeName } from '../../../auth/names.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustOwnWebhook, type ProjectAccess } from '../../projects/index.ts';
import { hostOf, mustBeEventTypes, mustBeReceiver } from '../policy/webhook-rules.ts';
import { changeWebhook, targetOf } from '../sql/webhooks.ts';

/** Changes a webhook, or stops it and lets it go on. */
export const ChangeWebhook: Handler<'projects_ChangeWebhook', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustOwnWebhook(tx, actor, input.webhookId),

  async run({ tx, input, now, emit }, { projectId }) {
    const { webhookId, types, isDisabled } = input;
    if (types !== undefined) mustBeEventTypes(types);
    const target = await targetOf(tx, ids.webhook.raw(webhookId));
    if (target === undefined) throw notFound('Webhook');
    const format = input.format ?? target.format;
    const change = {
      name: input.name === undefined ? undefined : mustBeName(input.name, 'name'),
      url:
        input.url === undefined && format === target.format
          ? undefined
          : mustBeReceiver(input.url ?? target.url, format),
      types,
      format: input.format,
      isDisabled,
    };
    const name = await changeWebhook(tx, ids.webhook.raw(webhookId), change, now);
    if (name === undefined) throw notFound('Webhook');
    emit('projects_WebhookChanged', {
      projectId: ids.project.of(projectId),
      webhookId,
      name,
      ...(change.url === undefined ? {} : { host: hostOf(change.url) }),
      ...(input.format === undefined ? {} : { format }),
      ...(isDisabled === undefined ? {} : { isDisabled }),
    });
    return {};
  },
};
