import type { Handler } from '../../../calls/handler.ts';
import { mustBeDevice } from '../../projects/index.ts';

/** Returns no work: this hub plans no operations. */
export const ClaimOperationWork: Handler<'devices_ClaimOperationWork'> = {
  authorize: ({ tx, actor, input }) => mustBeDevice(tx, actor, input.deviceId),

  async run() {
    return { work: [] };
  },
};
