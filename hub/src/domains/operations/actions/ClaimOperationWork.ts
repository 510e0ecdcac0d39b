import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeDevice } from '../../projects/index.ts';
import { takeStep } from '../policy/hand-out.ts';
import { noteClaiming } from '../sql/operations.ts';

/** Hands a device its current step, again under another claim if it got it before. The gateway holds the calls of devices that have none, and takes steps for them. */
export const ClaimOperationWork: Handler<'devices_ClaimOperationWork'> = {
  authorize: ({ tx, actor, input }) => mustBeDevice(tx, actor, input.deviceId),

  async run(context) {
    const { input, origin } = context;
    const { deviceId, kinds = ['DeviceCommand', 'DeviceTask'] } = input;
    const rawId = ids.device.raw(deviceId);
    await noteClaiming(context, rawId);
    const taken = await takeStep(context, {
      deviceId: rawId,
      connectionId: origin.connectionId,
      claims: kinds,
      isNewClaim: true,
      mayOpenChannel: origin.mayOpenChannel === true,
      isClaimOnly: true,
    });
    return { work: taken?.carrier === 'Claim' ? [taken.item] : [] };
  },
};
