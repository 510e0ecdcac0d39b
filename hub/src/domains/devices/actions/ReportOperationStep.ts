import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustBeDevice } from '../../projects/index.ts';

/** Refuses every report: this hub plans no operations. */
export const ReportOperationStep: Handler<'devices_ReportOperationStep'> = {
  authorize: ({ tx, actor, input }) => mustBeDevice(tx, actor, input.deviceId),

  async run() {
    throw notFound('Operation');
  },
};
