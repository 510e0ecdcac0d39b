import { ActionError } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';

/** TO BUILD. */
export const AdvanceOperationStage: Handler<'fleet_AdvanceOperationStage'> = {
  authorize: () => undefined,

  async run() {
    throw new ActionError('Invalid', 'TO BUILD');
  },
};
