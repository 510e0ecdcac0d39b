import type { Internal } from '../../../calls/handler.ts';
import { moveOperation } from '../policy/move-operation.ts';

/** Does what is due of an operation on a device, by its raw id. Any node may call it at any time: the row of the operation is locked, and what is due is read again. */
export const MoveOperation: Internal<string, void> = {
  name: 'operations_MoveOperation',

  async run(context) {
    await moveOperation(context, context.input);
  },
};
