import { ActionError } from '@corral/contract';
import { forbidden } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { refusalBy, throttled } from '../../../limits/limit.ts';
import { holderOf, mustSeeSession, type TerminalAccess } from '../policy/people.ts';
import { mustBeAllowed, readPolicy } from '../policy/terminal-policy.ts';
import { lockSession } from '../sql/sessions.ts';
import { issueTicket } from '../sql/tickets.ts';

/** Lets somebody enter a terminal: whoever opened it types, owners watch. */
export const JoinTerminal: Handler<'devices_JoinTerminal', TerminalAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeSession(tx, actor, input.sessionId),

  async run({ tx, actor, origin, now }, { projectId, isOwner, sessionId, userId }) {
    const session = await lockSession(tx, sessionId);
    const isOpener = session.opener_id === userId;
    if (!isOpener && !isOwner)
      throw forbidden('Only whoever opened the terminal and owners of the project may enter it.');
    mustBeAllowed(await readPolicy(tx, projectId), { actor, isOwner });
    if (session.state === 'Ended') throw new ActionError('Invalid', 'The terminal has ended.');
    if (session.state === 'Waiting') throw new ActionError('Invalid', 'The terminal waits for an approval.');
    if (!isOpener && session.started_at === null)
      throw new ActionError('Invalid', 'Whoever opened the terminal has not entered it yet.');
    const ticket = await issueTicket(tx, sessionId, holderOf(actor, origin), now);
    if (ticket === undefined)
      throw refusalBy({ refused: throttled('Too many enter this terminal. Try again in a minute.', 30) });
    return { ticket, role: isOpener ? 'Types' : 'Watches' };
  },
};
