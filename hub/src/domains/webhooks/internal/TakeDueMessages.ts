import { ids } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import { signedHeaders } from '../policy/signature.ts';
import { takeDueMessages } from '../sql/due-messages.ts';
import { secretsOf } from '../sql/webhooks.ts';

/** A message that is sent now; ids are raw. */
export interface SignedMessage {
  readonly webhookId: string;
  readonly messageId: string;
  readonly attempts: number;
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Takes the messages that are due, signed; `busy` are the webhooks whose messages this node still sends. */
export const TakeDueMessages: Internal<{ readonly busy: readonly string[] }, SignedMessage[]> = {
  name: 'webhooks_TakeDueMessages',
  async run({ tx, input, now, vault }) {
    const due = await takeDueMessages(tx, input.busy, now);
    return due.map((row) => {
      const { type, data, happened_at: timestamp, url, attempts } = row;
      const body = JSON.stringify({ type, timestamp, data });
      const messageId = ids.webhookMessage.of(row.message_id);
      return {
        webhookId: row.webhook_id,
        messageId: row.message_id,
        attempts,
        url,
        body,
        headers: signedHeaders({ messageId, body, at: now }, secretsOf(vault, row, now)),
      };
    });
  },
};
