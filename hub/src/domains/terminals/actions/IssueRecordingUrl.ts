import { ActionError } from '@corral/contract';
import { forbidden } from '../../../auth/actors.ts';
import { recordingUrlKeyPurpose, signRecordingPath } from '../../../auth/recording-url.ts';
import type { Handler } from '../../../calls/handler.ts';
import { amounts } from '../../../limits/amounts.ts';
import { instanceKey } from '../../instance/index.ts';
import { ofTerminal } from '../policy/event-data.ts';
import { holderOf, mustSeeSession, type TerminalAccess } from '../policy/people.ts';
import { lockSession } from '../sql/sessions.ts';

/** Returns the URL of a recording; the audit log has who asked for it. */
export const IssueRecordingUrl: Handler<'devices_IssueRecordingUrl', TerminalAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeSession(tx, actor, input.sessionId),

  async run(context, { isOwner, sessionId, userId }) {
    const { tx, input, actor, origin, now, emit, origins } = context;
    const session = await lockSession(tx, sessionId);
    if (session.opener_id !== userId && !isOwner)
      throw forbidden('Only whoever opened the terminal and owners of the project may read its recording.');
    if (session.recorded_bytes === 0)
      throw new ActionError('Invalid', 'There is no recording of this terminal.');
    const expiresAtSecs = Math.floor(now.getTime() / 1000) + amounts.recordingUrls.max;
    const grant = { sessionId: input.sessionId, reader: holderOf(actor, origin), expiresAtSecs };
    const key = await instanceKey(context, recordingUrlKeyPurpose);
    emit('devices_RecordingRead', ofTerminal(session));
    return { url: `${origins.console}${signRecordingPath(key, grant)}` };
  },
};
