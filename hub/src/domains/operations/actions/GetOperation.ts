import { ActionError } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';

/** TO BUILD. */
export const GetOperation: Handler<'devices_GetOperation'> = {
  authorize: () => undefined,

  async run() {
    throw new ActionError('Invalid', 'TO BUILD');
  },
};
