import { ids } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import { requestOf } from '../policy/formats/request-of.ts';
import { signedHeaders } from '../policy/signature.ts';
import { takeDueMessages } from '../sql/due-messages.ts';
import { secretsOf } from '../sql/webhooks.ts';

/** A message that is sent now, as its receiver wants it; ids are raw. */
export interface OutgoingMessage {
  readonly webhookId: string;
  readonly messageId: string;
  readonly attempts: number;
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Takes the messages that are due, in the format of their webhook, those of Standard signed; `busy` are the webhooks whose messages this node still sends. */
export const TakeDueMessages: Internal<{ readonly busy: readonly string[] }, OutgoingMessage[]> = {
  name: 'webhooks_TakeDueMessages',
  async run({ tx, input, now, vault, origins }) {
    const due = await takeDueMessages(tx, input.busy, now);
    return due.map((row) => {
      const { type, data, happened_at: timestamp } = row.newest ?? row;
      const sent = { type, data, timestamp, origin: origins.console };
      const { url, body } = requestOf(row.format, row.url, sent);
      const messageId = ids.webhookMessage.of(row.message_id);
      const isSigned = row.format === 'Standard';
      return {
        webhookId: row.webhook_id,
        messageId: row.message_id,
        attempts: row.attempts,
        url,
        body,
        headers: isSigned ? signedHeaders({ messageId, body, at: now }, secretsOf(vault, row, now)) : {},
      };
    });
  },
};
