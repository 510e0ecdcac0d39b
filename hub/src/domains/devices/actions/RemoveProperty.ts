import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { forbidden } from '../../../auth/actors.ts';
import { mustHaveDeviceAccess } from '../../projects/index.ts';
import { unsetProperty } from '../policy/property-writes.ts';

/** Removes a property; requires the right to set it. */
export const RemoveProperty: Handler<'devices_RemoveProperty', { readonly projectId: string }> = {
  authorize: ({ tx, actor, input }) => mustHaveDeviceAccess(tx, actor, input.deviceId),

  async run(context, { projectId }) {
    const { input, actor } = context;
    const property = { projectId, deviceId: ids.device.raw(input.deviceId), name: input.name, actor };
    const outcome = await unsetProperty(context, property);
    if (outcome === 'Protected') throw forbidden('This property is protected: the device may only read it.');
    return { result: outcome === 'Absent' ? 'NotFound' : 'Removed' };
  },
};
