import type { Handler } from '../../executor/handler.ts';
import { notFound } from '../../policy/actors.ts';
import { mustBeDevice } from '../../policy/projects.ts';

/** Knows no operation that a device could report on: this hub plans none. */
export const ReportOperationStep: Handler<'devices_ReportOperationStep'> = {
  authorize: ({ tx, actor, input }) => mustBeDevice(tx, actor, input.deviceId),

  async run() {
    throw notFound('Operation');
  },
};
