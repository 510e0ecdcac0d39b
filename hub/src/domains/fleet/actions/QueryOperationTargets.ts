import { ActionError } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';

/** TO BUILD. */
export const QueryOperationTargets: Handler<'fleet_QueryOperationTargets'> = {
  authorize: () => undefined,

  async run() {
    throw new ActionError('Invalid', 'TO BUILD');
  },
};
