import { ActionError } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';

/** Refuses every key alike, whoever shows it: this hub gives none out. */
export const RedeemDevicePairingKey: Handler<'projects_RedeemDevicePairingKey'> = {
  authorize() {
    throw new ActionError(
      'Invalid',
      'This hub does not pair devices by a key. Give the device a deployment token instead.',
    );
  },

  async run() {
    throw new Error('Nobody gets this far.');
  },
};
