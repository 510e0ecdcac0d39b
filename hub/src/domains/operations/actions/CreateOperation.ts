import { ActionError, ids } from '@corral/contract';
import { newRawId } from '../../../auth/random.ts';
import type { Handler } from '../../../calls/handler.ts';
import { amounts } from '../../../limits/amounts.ts';
import { lockDevice } from '../../devices/index.ts';
import { mustSeeDevice, type ProjectAccess } from '../../projects/index.ts';
import { secretPlaces } from '../policy/masked-inputs.ts';
import { mustHaveSteps } from '../policy/step-checks.ts';
import { readManifest } from '../sql/manifest.ts';
import { makeRoom } from '../sql/operation-lists.ts';

/** Creates an operation on a device, which waits until it is started. */
export const CreateOperation: Handler<'devices_CreateOperation', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeDevice(tx, actor, input.deviceId),

  async run({ tx, input, actor, now, emit }, { projectId }) {
    const { deviceId, name, description, steps } = input;
    mustHaveSteps(steps);
    const device = ids.device.raw(deviceId);
    await lockDevice(tx, device);
    if (!(await makeRoom(tx, device)))
      throw new ActionError(
        'Invalid',
        `A device may have at most ${amounts.deviceOperations.max} operations that have not ended. Cancel some of them.`,
      );
    const operationId = newRawId();
    await tx
      .insertInto('device_operations')
      .values({
        device_operation_id: operationId,
        project_id: projectId,
        device_id: device,
        fleet_operation_id: null,
        name,
        description: description ?? null,
        steps: JSON.stringify(steps),
        secret_places: JSON.stringify(secretPlaces(steps, await readManifest(tx, device, steps))),
        step_count: steps.length,
        stage_index: null,
        outcome: null,
        last_error: null,
        created_by: JSON.stringify(actor),
        created_at: now,
        released_at: null,
        started_at: null,
        completed_at: null,
        updated_at: now,
      })
      .execute();
    const deviceOperationId = ids.deviceOperation.of(operationId);
    emit('devices_OperationCreated', {
      projectId: ids.project.of(projectId),
      deviceId,
      deviceOperationId,
      name,
    });
    return { deviceOperationId };
  },
};
