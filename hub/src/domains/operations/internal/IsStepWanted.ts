import type { Internal } from '../../../calls/handler.ts';
import { doesRun } from '../sql/operations.ts';

/** An operation, by its raw id, of which a command is about to be sent. */
interface Asked {
  readonly operationId: string;
}

/** Whether an operation still runs: a device may take some seconds to accept a channel. */
export const IsStepWanted: Internal<Asked, boolean> = {
  name: 'operations_IsStepWanted',
  isOneStatement: () => true,
  run: ({ tx, input }) => doesRun(tx, input.operationId),
};
