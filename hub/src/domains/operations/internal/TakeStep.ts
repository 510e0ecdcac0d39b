import { ids, type Id } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import { takeStep, type HandedOut, type Taker } from '../policy/hand-out.ts';

/** What of a connection can take a step. */
interface Asked extends Pick<Taker, 'claims' | 'mayOpenChannel'> {
  readonly deviceId: Id<'device'>;
  readonly connectionId: Id<'deviceConnection'> | undefined;
}

/** Takes the current step of a device for the connection that holds a claim of it, or over which the hub may open a channel. */
export const TakeStep: Internal<Asked, HandedOut | undefined> = {
  name: 'operations_TakeStep',

  run: (context) => {
    const { deviceId, connectionId, claims, mayOpenChannel } = context.input;
    return takeStep(context, {
      deviceId: ids.device.raw(deviceId),
      connectionId: connectionId && ids.deviceConnection.raw(connectionId),
      claims,
      mayOpenChannel,
      isNewClaim: false,
    });
  },
};
