import { ids, type Id } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import { lockOperation } from '../sql/operations.ts';
import { setConnection } from '../sql/steps.ts';

/** A step that a device does, and the connections over which it had it and has it now. */
interface Moved {
  /** The raw id of the operation. */
  readonly operationId: string;
  readonly stepIndex: number;
  readonly from: Id<'deviceConnection'>;
  readonly to: Id<'deviceConnection'>;
}

/** Notes that the connection over which a step was handed out lives on under another id. */
export const MoveStep: Internal<Moved, void> = {
  name: 'operations_MoveStep',

  async run({ tx, input: { operationId, stepIndex, from, to } }) {
    if ((await lockOperation(tx, operationId)) === undefined) return;
    const { raw } = ids.deviceConnection;
    await setConnection(tx, operationId, stepIndex, { from: raw(from), to: raw(to) });
  },
};
