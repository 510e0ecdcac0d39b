import { ActionError } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';

/** TO BUILD. */
export const ClaimOperationWork: Handler<'devices_ClaimOperationWork'> = {
  authorize: () => undefined,

  async run() {
    throw new ActionError('Invalid', 'TO BUILD');
  },
};
