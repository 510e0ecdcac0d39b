import { ActionError } from '@corral/contract';
import { sql } from 'kysely';
import { forbidden, mustHaveSession } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { amounts } from '../../../limits/amounts.ts';
import { endTerminal } from '../policy/ending.ts';
import { ofTerminal } from '../policy/event-data.ts';
import { isMemberWhoOwns, mustSeeSession, type TerminalAccess } from '../policy/people.ts';
import { lockSession } from '../sql/sessions.ts';

/** Approves a terminal or refuses it; never by a token, by whoever opened it, or as an administrator who is no owner. */
export const ApproveTerminal: Handler<'devices_ApproveTerminal', TerminalAccess> = {
  async authorize({ tx, actor, input }) {
    mustHaveSession(actor);
    const access = await mustSeeSession(tx, actor, input.sessionId);
    if (!(await isMemberWhoOwns(tx, access.projectId, access.userId)))
      throw forbidden('Only an owner of the project may approve a terminal.');
    return access;
  },

  async run(context, { sessionId, userId }) {
    const { tx, input, actor, now, emit } = context;
    const { isApproved } = input;
    const session = await lockSession(tx, sessionId);
    if (session.opener_id === userId)
      throw forbidden('Another owner of the project than who opened the terminal approves it.');
    const waitsUntilMs = Date.parse(session.opened_at) + amounts.terminalApproval.max * 60_000;
    if (session.state !== 'Waiting' || waitsUntilMs <= now.getTime())
      throw new ActionError('Invalid', 'The terminal does not wait for an approval any more.');
    await sql`
      update terminal_sessions set state = ${isApproved ? 'Open' : 'Waiting'}, decided_by = ${JSON.stringify(actor)}::jsonb, decided_at = ${now}
      where session_id = ${sessionId}`.execute(tx);
    emit('devices_TerminalApproved', { ...ofTerminal(session), isApproved });
    if (!isApproved) await endTerminal(context, sessionId, { reason: 'NotApproved', by: actor });
    return {};
  },
};
