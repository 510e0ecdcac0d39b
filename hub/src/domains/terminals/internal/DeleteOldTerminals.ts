import { sql } from 'kysely';
import type { Internal } from '../../../calls/handler.ts';
import { amounts } from '../../../limits/amounts.ts';

/** Each may have a thousand parts. */
const atOnce = 20;

/** Deletes some terminals that ended more than 90 days ago, with their recordings; how many. */
export const DeleteOldTerminals: Internal<void, number> = {
  name: 'terminals_DeleteOldTerminals',
  isOneStatement: () => true,
  async run({ tx, now }) {
    const { numAffectedRows } = await sql`
      delete from terminal_sessions where session_id in (
        select session_id from terminal_sessions where ended_at < ${new Date(now.getTime() - amounts.endedTerminals.max * 86_400_000)} order by ended_at limit ${atOnce})`.execute(
      tx,
    );
    return Number(numAffectedRows ?? 0n);
  },
};
