import { ids, type Output } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeDevice, type ProjectAccess } from '../../projects/index.ts';
import { readPolicy, refusalOf } from '../policy/terminal-policy.ts';
import { type Offered, readOffered } from '../sql/offered.ts';

/** Says whether a terminal may be opened, before anybody tries. */
export const GetTerminalAccess: Handler<'devices_GetTerminalAccess', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeDevice(tx, actor, input.deviceId),

  async run({ tx, input, actor, now }, { projectId, isOwner }) {
    const policy = await readPolicy(tx, projectId);
    const offered = await readOffered(tx, ids.device.raw(input.deviceId), now);
    const { isReasonNeeded, approval, recording } = policy;
    const status = refusalOf(policy, { isOwner, actor })?.status ?? statusOf(offered);
    return { status, users: [...offered.users], isReasonNeeded, approval, recording };
  },
};

function statusOf({ isConnected, isOffered }: Offered): Output<'devices_GetTerminalAccess'>['status'] {
  if (!isConnected) return 'NotConnected';
  return isOffered ? 'Ready' : 'NotOffered';
}
