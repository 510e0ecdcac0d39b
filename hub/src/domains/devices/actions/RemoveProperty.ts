import { isDeepStrictEqual } from 'node:util';
import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { forbidden } from '../../../auth/actors.ts';
import { mustHaveDeviceAccess } from '../../projects/index.ts';
import { lockDevice, readListedFields } from '../sql/device-properties.ts';
import { removeProperty } from '../sql/removed-properties.ts';

/** Removes a property; requires the right to set it. */
export const RemoveProperty: Handler<'devices_RemoveProperty', { readonly projectId: string }> = {
  authorize: ({ tx, actor, input }) => mustHaveDeviceAccess(tx, actor, input.deviceId),

  async run({ tx, actor, input, now, emit }, { projectId }) {
    const { deviceId, name } = input;
    const rawId = ids.device.raw(deviceId);
    await lockDevice(tx, rawId);
    const property = { deviceId: rawId, name, actor };
    const listedBefore = await readListedFields(tx, rawId, name);
    const outcome = await removeProperty(tx, property, now);
    if (outcome === 'Protected') throw forbidden('This property is protected: the device may only read it.');
    if (outcome === 'Absent') return { result: 'NotFound' };
    emit('devices_PropertiesChanged', { projectId: ids.project.of(projectId), deviceId, name });
    if (!isDeepStrictEqual(listedBefore, await readListedFields(tx, rawId, name)))
      emit('devices_ListedFieldsChanged', { projectId: ids.project.of(projectId), deviceId });
    return { result: 'Removed' };
  },
};
