import { ids } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeDeviceOperation, type ProjectAccess } from '../../projects/index.ts';
import { cancelDeviceOperation } from '../policy/advance.ts';
import { lockOperation, noteEvent } from '../sql/operations.ts';

/** Cancels an operation on a device at once; a command that its device runs goes on there, and its result is recorded with the step. One that has ended stays as it is. */
export const CancelOperation: Handler<'devices_CancelOperation', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeDeviceOperation(tx, actor, input.deviceOperationId),

  async run(context, { projectId }) {
    const { tx, input, actor, emit } = context;
    const operation = await lockOperation(tx, ids.deviceOperation.raw(input.deviceOperationId));
    if (operation === undefined) throw notFound('Operation');
    if (!(await cancelDeviceOperation(context, operation))) return {};
    await noteEvent(context, operation, 'CancelRequested', {}, actor);
    emit('devices_OperationCancelled', {
      projectId: ids.project.of(projectId),
      deviceId: ids.device.of(operation.deviceId),
      deviceOperationId: input.deviceOperationId,
      name: operation.name,
    });
    return {};
  },
};
