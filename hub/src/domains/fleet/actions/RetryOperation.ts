import { ActionError } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';

/** TO BUILD. */
export const RetryOperation: Handler<'fleet_RetryOperation'> = {
  authorize: () => undefined,

  async run() {
    throw new ActionError('Invalid', 'TO BUILD');
  },
};
