import { ids } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import { longestFailureMs, nextAttempt } from '../policy/webhook-rules.ts';
import { disableWebhook, recordAttempt } from '../sql/due-messages.ts';
import { mailOwners } from '../../users/index.ts';

/** What became of an attempt; ids are raw. */
export interface Outcome {
  readonly webhookId: string;
  readonly messageId: string;
  readonly attempts: number;
  readonly durationMs: number;
  readonly httpStatus?: number | undefined;
  readonly retryAfterSecs?: number | undefined;
  /** A sentence; undefined if the receiver accepted the message. */
  readonly error?: string | undefined;
}

const gone = 410;

/** Records an attempt. A webhook whose receiver is gone, or that has failed for days, sends no more, and the owners of its project are told. */
export const RecordAttempt: Internal<Outcome, void> = {
  name: 'webhooks_RecordAttempt',
  async run({ tx, input, now, emit }) {
    const { webhookId, messageId, attempts, durationMs, httpStatus, retryAfterSecs, error } = input;
    const isGone = httpStatus === gone;
    const nextAttemptAt =
      error === undefined || isGone
        ? undefined
        : nextAttempt(attempts, { now, retryAfterSecs, random: Math.random() });
    const standing = await recordAttempt(
      tx,
      { webhookId, messageId, httpStatus, durationMs, error, nextAttemptAt },
      now,
    );
    if (standing === undefined) return;
    const { projectId, failingSince } = standing;
    const of = { projectId: ids.project.of(projectId), webhookId: ids.webhook.of(webhookId) };
    emit('projects_WebhookDelivered', of);
    const hasFailedLong =
      failingSince !== null && now.getTime() - Date.parse(failingSince) >= longestFailureMs;
    if (!isGone && !hasFailedLong) return;
    const reason = isGone ? 'ByReceiver' : 'Failing';
    const name = await disableWebhook(tx, webhookId, reason);
    if (name === undefined) return;
    await mailOwners(tx, projectId, { kind: 'WebhookDisabled', webhookId, now });
    emit('projects_WebhookDisabled', { ...of, name, reason });
    emit('mail_Queued', {});
  },
};
