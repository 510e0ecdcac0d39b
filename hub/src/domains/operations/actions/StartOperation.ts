import { ActionError, ids } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeApproved, mustSeeDeviceOperation, type ProjectAccess } from '../../projects/index.ts';
import { startDeviceOperation } from '../policy/advance.ts';
import { isDeviceConnected, lockOperation, noteEvent, setReleased } from '../sql/operations.ts';

/** Starts an operation on a device; one that was started before stays as it is. */
export const StartOperation: Handler<'devices_StartOperation', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeDeviceOperation(tx, actor, input.deviceOperationId),

  async run(context, { projectId, isOwner }) {
    const { tx, input, actor, emit } = context;
    const operation = await lockOperation(tx, ids.deviceOperation.raw(input.deviceOperationId));
    if (operation === undefined) throw notFound('Operation');
    if (operation.fleetOperationId !== null)
      throw new ActionError('Invalid', 'This is part of an operation on several devices: start that one.');
    if (operation.status === 'Running') return {};
    if (operation.status !== 'Pending')
      throw new ActionError(
        'Invalid',
        'This operation has ended. Create another one to run its steps again.',
      );
    const { createdBy, steps } = operation;
    const isApproved = await mustBeApproved(tx, { projectId, isOwner, actor }, createdBy, {
      devices: 1,
      steps,
    });
    if (!(await setReleased(context, operation))) return {};
    const approval = isApproved ? { approvedFor: { ...createdBy } } : {};
    await noteEvent(context, operation, isApproved ? 'Approved' : 'Released', approval, actor);
    emit('devices_OperationStarted', {
      projectId: ids.project.of(projectId),
      deviceId: ids.device.of(operation.deviceId),
      deviceOperationId: input.deviceOperationId,
      name: operation.name,
      ...approval,
    });
    if (await isDeviceConnected(context, operation.deviceId))
      await startDeviceOperation(context, operation.operationId);
    return {};
  },
};
