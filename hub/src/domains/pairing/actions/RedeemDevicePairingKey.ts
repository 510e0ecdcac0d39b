import { ids } from '@corral/contract';
import { mustBeName } from '../../../auth/names.ts';
import type { Handler } from '../../../calls/handler.ts';
import { addPairedDevice } from '../../devices/index.ts';
import { keyRefused, proveKey, redeem, refusedAfterMs } from '../policy/redemption.ts';

/** Makes a device by a key, or pairs one of the project again; anybody who has the key may. The name of the key wins over that of the device. */
export const RedeemDevicePairingKey: Handler<'projects_RedeemDevicePairingKey', string, string> = {
  refusedAfterMs,

  prepare: (context) => {
    if (context.input.deviceName !== undefined) mustBeName(context.input.deviceName, 'deviceName');
    return proveKey(context);
  },

  authorize: (_context, keyId) => keyId,

  async run(context, keyId) {
    const { tx, input, now, emit } = context;
    let rawDeviceId = '';
    const redeemed = await redeem(context, keyId, async ({ projectId, name }, tokenId) => {
      const fingerprint = ids.deviceFingerprint.raw(input.fingerprint);
      const given = name ?? input.deviceName?.trim();
      const paired = await addPairedDevice(tx, { projectId, fingerprint, tokenId, name: given || null, now });
      if (paired === undefined) throw keyRefused();
      if (paired.isNew) {
        const deviceId = ids.device.of(paired.deviceId);
        emit('devices_Created', { deviceId, projectId: ids.project.of(projectId) });
      }
      rawDeviceId = paired.deviceId;
      return paired;
    });
    return { ...redeemed, deviceId: ids.device.of(rawDeviceId) };
  },
};
