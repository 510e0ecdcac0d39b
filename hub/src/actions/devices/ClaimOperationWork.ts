import type { Handler } from '../../executor/handler.ts';
import { mustBeDevice } from '../../policy/projects.ts';

/** Returns no work: this hub plans no operations. */
export const ClaimOperationWork: Handler<'devices_ClaimOperationWork'> = {
  authorize: ({ tx, actor, input }) => mustBeDevice(tx, actor, input.deviceId),

  async run() {
    return { work: [] };
  },
};
