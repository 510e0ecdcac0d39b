import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeDevice } from '../../projects/index.ts';
import { readRenewal } from '../sql/renewals.ts';

/** Tells a device whether the certificate of its connection should be replaced by one that the hub issues; the clock of a device may be wrong. */
export const GetCertificateRenewal: Handler<'devices_GetCertificateRenewal'> = {
  authorize: ({ tx, actor, input }) => mustBeDevice(tx, actor, input.deviceId),

  async run({ tx, input, now, origin: { certificateId } }) {
    if (certificateId === undefined) return { isDue: false };
    const renewal = await readRenewal(tx, { deviceId: ids.device.raw(input.deviceId), certificateId }, now);
    return { isDue: renewal?.isDue === true };
  },
};
