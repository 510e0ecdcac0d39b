import type { Handler } from '../../../calls/handler.ts';
import { mustBeDevice } from '../../projects/index.ts';
import { recordReport } from '../policy/report.ts';

/** Records what a device says of a step that it claimed; whatever it says is accepted. */
export const ReportOperationStep: Handler<'devices_ReportOperationStep'> = {
  authorize: ({ tx, actor, input }) => mustBeDevice(tx, actor, input.deviceId),

  async run(context) {
    await recordReport(context, context.input);
    return {};
  },
};
