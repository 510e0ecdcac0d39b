import type { Internal } from '../../../calls/handler.ts';
import { pruneMessages } from '../sql/webhooks.ts';

const keptMs = 30 * 86_400_000;

/** Deletes the messages of webhooks that are older than 30 days. */
export const PruneMessages: Internal<void, void> = {
  name: 'webhooks_PruneMessages',
  // Two statements that need not be atomic.
  isOneStatement: () => true,

  async run({ tx, now }) {
    await pruneMessages(tx, new Date(now.getTime() - keptMs));
  },
};
