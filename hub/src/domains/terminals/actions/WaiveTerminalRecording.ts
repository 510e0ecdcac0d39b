import { ActionError } from '@corral/contract';
import { sql } from 'kysely';
import { forbidden, mustHaveSession } from '../../../auth/actors.ts';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mailOwners } from '../../users/index.ts';
import { ofTerminal } from '../policy/event-data.ts';
import { isMemberWhoOwns, mustSeeSession, type TerminalAccess } from '../policy/people.ts';
import { mustBeReason } from '../policy/terminal-policy.ts';
import { lockSession } from '../sql/sessions.ts';

/** Lets one terminal go on where output cannot be recorded; the node that serves it reads so after the event. */
export const WaiveTerminalRecording: Handler<'devices_WaiveTerminalRecording', TerminalAccess> = {
  async authorize(context) {
    const { tx, actor, input } = context;
    mustHaveSession(actor);
    const access = await mustSeeSession(tx, actor, input.sessionId);
    if (!access.isOwner)
      throw forbidden('Only an owner of the project may let a terminal go on without a recording.');
    mustBeSteppedUp(context);
    return access;
  },

  async run({ tx, input, actor, now, emit }, { projectId, sessionId, userId }) {
    const reason = mustBeReason(input.reason, 'Say why the terminal has to go on without a recording.');
    const session = await lockSession(tx, sessionId);
    const isSecond = session.opener_id !== userId && (await isMemberWhoOwns(tx, projectId, userId));
    if (session.approval !== 'None' && !isSecond)
      throw forbidden('Another owner of the project than who opened the terminal has to do this.');
    if (session.state !== 'Open' || session.started_at === null)
      throw new ActionError('Invalid', 'Nobody is in this terminal.');
    if (session.recording !== 'Required')
      throw new ActionError('Invalid', 'This terminal goes on without a recording in any case.');
    if (session.waived_at !== null)
      throw new ActionError('Invalid', 'This terminal may go on without a recording already.');
    await sql`
      update terminal_sessions set waived_by = ${JSON.stringify(actor)}::jsonb, waived_at = ${now}, waiver_reason = ${reason}
      where session_id = ${sessionId}`.execute(tx);
    await mailOwners(tx, projectId, { kind: 'RecordingWaived', terminalSessionId: sessionId, now });
    emit('devices_TerminalRecordingWaived', { ...ofTerminal(session), reason: reason ?? '' });
    return {};
  },
};
