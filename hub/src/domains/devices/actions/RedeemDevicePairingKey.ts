import { ActionError } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';

/** Refuses every key: this hub issues none. */
export const RedeemDevicePairingKey: Handler<'projects_RedeemDevicePairingKey'> = {
  authorize() {
    throw new ActionError(
      'Invalid',
      'This hub does not pair devices by a key. Give the device a deployment token instead.',
    );
  },

  async run() {
    throw new Error('Unreachable: authorize refuses every caller.');
  },
};
