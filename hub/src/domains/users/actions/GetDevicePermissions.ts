import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeSelfOrAdministrator } from '../policy/actors.ts';
import { tokenIdOf } from '../policy/token-bounds.ts';
import { hasDeviceAccess } from '../../devices/index.ts';

/** Whether a user may access a device: as a member of its project, or as an administrator; with a user token only within its bounds. */
export const GetDevicePermissions: Handler<'users_GetDevicePermissions'> = {
  async authorize({ tx, actor, input }) {
    if (actor.actor !== 'ClusterNode') await mustBeSelfOrAdministrator(tx, actor, input.userId);
  },

  async run({ tx, actor, input }) {
    const question = {
      userId: ids.user.raw(input.userId),
      deviceId: ids.device.raw(input.deviceId),
      // An administrator may ask about others, who would not use this token.
      tokenId: 'userId' in actor && actor.userId === input.userId ? tokenIdOf(actor) : null,
    };
    return { hasAccess: await hasDeviceAccess(tx, question) };
  },
};
