import { ActionError, ids } from '@corral/contract';
import { forbidden, mustBePerson, notFound } from '../../../auth/actors.ts';
import { newDatedRawId } from '../../../auth/random.ts';
import type { Handler, HandlerContext } from '../../../calls/handler.ts';
import { amounts } from '../../../limits/amounts.ts';
import { lockDevice } from '../../devices/index.ts';
import { mustSeeDevice, type ProjectAccess } from '../../projects/index.ts';
import { endLost } from '../policy/ending.ts';
import { ofTerminal } from '../policy/event-data.ts';
import { holderOf, isServiceAccount } from '../policy/people.ts';
import {
  mustBeAllowed,
  mustBeDeviceUser,
  mustBeReason,
  missingReason,
  readPolicy,
} from '../policy/terminal-policy.ts';
import { readOffered } from '../sql/offered.ts';
import { addSession, countSessions } from '../sql/sessions.ts';
import { issueTicket } from '../sql/tickets.ts';

type Context = HandlerContext<'devices_OpenTerminal'>;

/** Opens a terminal. The node of the device opens the channel once somebody enters it. */
export const OpenTerminal: Handler<'devices_OpenTerminal', ProjectAccess> = {
  authorize({ tx, actor, input }) {
    mustBePerson(actor);
    return mustSeeDevice(tx, actor, input.deviceId);
  },

  async run(context, access) {
    const { tx, input, actor, origin, now, emit } = context;
    const policy = await readPolicy(tx, access.projectId);
    mustBeAllowed(policy, { actor, isOwner: access.isOwner });
    const user = input.user === undefined ? undefined : mustBeDeviceUser(input.user);
    const reason = mustBeReason(input.reason, missingReason(policy));
    const holder = holderOf(actor, origin);
    // Whoever made its token may be the one who approves.
    if (policy.approval !== 'None' && (await isServiceAccount(tx, holder.userId)))
      throw forbidden(
        'A terminal in this project needs a second person: a service account may not open one.',
      );
    const deviceId = ids.device.raw(input.deviceId);
    await mustBeOffered(context, deviceId);
    await mustHaveRoom(context, deviceId);
    const sessionId = newDatedRawId(now);
    const of = { sessionId, projectId: access.projectId, deviceId, openerId: holder.userId };
    const state = await addSession(tx, { ...of, actor, user, reason, policy, now });
    emit('devices_TerminalOpened', {
      ...ofTerminal({ session_id: sessionId, project_id: access.projectId, device_id: deviceId }),
      ...(user === undefined ? {} : { user }),
      ...(reason === undefined ? {} : { reason }),
      approval: policy.approval,
    });
    const publicId = ids.terminal.of(sessionId);
    if (state === 'Waiting') return { result: 'WaitsForApproval', sessionId: publicId };
    const ticket = await issueTicket(tx, sessionId, holder, now);
    if (ticket === undefined) throw notFound('Terminal');
    return { result: 'Opened', sessionId: publicId, ticket };
  },
};

async function mustBeOffered({ tx, now }: Context, deviceId: string): Promise<void> {
  const { isConnected, isOffered } = await readOffered(tx, deviceId, now);
  if (!isConnected) throw new ActionError('Invalid', 'The device is not connected.');
  if (!isOffered)
    throw new ActionError(
      'Invalid',
      'The device does not offer terminals. Turn them on in the configuration of its agent: enabled = true under [terminal].',
    );
}

async function mustHaveRoom(context: Context, deviceId: string): Promise<void> {
  const { max } = amounts.terminals;
  await lockDevice(context.tx, deviceId);
  await endLost(context, deviceId);
  if ((await countSessions(context.tx, deviceId)) >= max)
    throw new ActionError('Invalid', `A device may have ${max} terminals at a time. End one first.`);
}
