import { sql } from 'kysely';
import type { Internal } from '../../../calls/handler.ts';

/** Events are published within a second or two. */
const longestWaitSecs = 60;

/** Whether events wait to be published for longer than they do in a healthy hub. */
export const HasWaitingEvents: Internal<void, boolean> = {
  name: 'instance_HasWaitingEvents',
  isOneStatement: () => true,

  async run({ tx, now }) {
    const before = new Date(now.getTime() - longestWaitSecs * 1000);
    const { rows } = await sql`select 1 from event_outbox where created_at < ${before} limit 1`.execute(tx);
    return rows.length > 0;
  },
};
