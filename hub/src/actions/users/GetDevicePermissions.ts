import { ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { mustBeSelfOrAdministrator } from '../../policy/actors.ts';
import { hasDeviceAccess } from '../../store/device-access.ts';

/** Whether a user may access a device: as a member of its project, or as an administrator, but not with a user token. */
export const GetDevicePermissions: Handler<'users_GetDevicePermissions'> = {
  async authorize({ tx, actor, input }) {
    if (actor.actor !== 'ClusterNode') await mustBeSelfOrAdministrator(tx, actor, input.userId);
  },

  async run({ tx, actor, input }) {
    const question = {
      userId: ids.user.raw(input.userId),
      deviceId: ids.device.raw(input.deviceId),
      countsAdministrators: actor.actor !== 'UserToken',
    };
    return { hasAccess: await hasDeviceAccess(tx, question) };
  },
};
