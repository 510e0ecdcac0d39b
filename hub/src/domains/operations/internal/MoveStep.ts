import { ids, type Id } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import { setConnection } from '../sql/steps.ts';

/** A step that a device does, and the connection over which it has it now. */
interface Moved {
  /** The raw id of the operation. */
  readonly operationId: string;
  readonly stepIndex: number;
  readonly connectionId: Id<'deviceConnection'>;
}

/** Notes that the connection over which a step was handed out lives on under another id. */
export const MoveStep: Internal<Moved, void> = {
  name: 'operations_MoveStep',
  isOneStatement: () => true,
  run: ({ tx, input: { operationId, stepIndex, connectionId } }) =>
    setConnection(tx, operationId, stepIndex, ids.deviceConnection.raw(connectionId)),
};
