import { ActionError, ids, rotationProperty } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeOwner, mustSeeDevice, type ProjectAccess } from '../../projects/index.ts';
import { emitRotation } from '../policy/certificate-rotation.ts';
import { unsetProperty } from '../policy/property-writes.ts';
import { endRotation, lockRunningRotation } from '../sql/certificate-rotations.ts';
import { lockDevice } from '../sql/device-properties.ts';

/** Ends the rotation of the certificate of a device; what is active stays so. */
export const CancelCertificateRotation: Handler<'devices_CancelCertificateRotation', ProjectAccess> = {
  authorize: async ({ tx, actor, input }) => mustBeOwner(await mustSeeDevice(tx, actor, input.deviceId)),

  async run({ tx, input, actor, now, emit }, { projectId }) {
    const deviceId = ids.device.raw(input.deviceId);
    await lockDevice(tx, deviceId);
    const running = await lockRunningRotation(tx, deviceId);
    if (running === undefined)
      throw new ActionError('Invalid', 'The certificate of this device is not being rotated.');
    await endRotation(tx, running.rotationId, 'Cancelled', now);
    await unsetProperty({ tx, now, emit }, { projectId, deviceId, name: rotationProperty, actor });
    emitRotation({ emit }, 'Cancelled', { projectId, deviceId });
    return {};
  },
};
