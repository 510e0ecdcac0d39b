import { sql } from 'kysely';
import { forbidden } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { endTerminal } from '../policy/ending.ts';
import { mustSeeSession, type TerminalAccess } from '../policy/people.ts';
import { lockSession } from '../sql/sessions.ts';

/** Ends a terminal: at once where nobody has entered it, else by the node that serves it, which completes its recording. */
export const EndTerminal: Handler<'devices_EndTerminal', TerminalAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeSession(tx, actor, input.sessionId),

  async run(context, { isOwner, sessionId, userId }) {
    const { tx, input, actor, emit } = context;
    const session = await lockSession(tx, sessionId);
    if (session.opener_id !== userId && !isOwner)
      throw forbidden('Only whoever opened the terminal and owners of the project may end it.');
    if (session.state === 'Ended') return {};
    if (session.started_at === null) {
      await endTerminal(context, sessionId, { reason: 'Closed', by: actor });
      return {};
    }
    await sql`
      update terminal_sessions set end_wanted_by = ${JSON.stringify(actor)}::jsonb where session_id = ${sessionId}`.execute(
      tx,
    );
    emit('devices_TerminalEndWanted', { sessionId: input.sessionId });
    return {};
  },
};
