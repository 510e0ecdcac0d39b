import type { Internal } from '../../../calls/handler.ts';
import { finishStep, skipStep, type StepResult } from '../policy/advance.ts';
import { lockOperation } from '../sql/operations.ts';
import { takeBack } from '../sql/steps.ts';

/** How a step through a channel ended; undefined where the device got nothing, so that it may be handed out again. */
interface Recorded {
  /** The raw id of the operation. */
  readonly operationId: string;
  readonly stepIndex: number;
  readonly result: StepResult | undefined;
}

/** Records the result of a step that went through a channel. */
export const RecordChannelResult: Internal<Recorded, void> = {
  name: 'operations_RecordChannelResult',

  async run(context) {
    const { operationId, stepIndex, result } = context.input;
    const operation = await lockOperation(context.tx, operationId);
    if (operation === undefined) return;
    if (result !== undefined) await finishStep(context, operation, stepIndex, result);
    else if (operation.status === 'Running') await takeBack(context, operationId, stepIndex);
    else await skipStep(context, operation, stepIndex);
  },
};
