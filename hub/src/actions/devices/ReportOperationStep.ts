import type { Handler } from '../../executor/handler.ts';
import { notFound } from '../../policy/actors.ts';
import { mustBeDevice } from '../../policy/projects.ts';

/** Refuses every report: this hub plans no operations. */
export const ReportOperationStep: Handler<'devices_ReportOperationStep'> = {
  authorize: ({ tx, actor, input }) => mustBeDevice(tx, actor, input.deviceId),

  async run() {
    throw notFound('Operation');
  },
};
