import { ActionError, ids } from '@corral/contract';
import { newRawId } from '../../../auth/random.ts';
import { hashSecret, lookupKey } from '../../../auth/secret.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../projects/index.ts';
import { mustHaveRoomForDevice } from '../../assets/index.ts';

/** Creates a device by the fingerprint that it will send. */
export const CreateDevice: Handler<'devices_CreateDevice', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, input, now, emit }, { projectId }) {
    await mustHaveRoomForDevice(tx, projectId);
    const rawId = newRawId();
    const fingerprint = ids.deviceFingerprint.raw(input.fingerprint);
    const created = await tx
      .insertInto('devices')
      .values({
        device_id: rawId,
        project_id: projectId,
        fingerprint_id: lookupKey(fingerprint),
        fingerprint_hash: hashSecret(fingerprint),
        metadata: '{}',
        created_at: now,
      })
      .onConflict((conflict) => conflict.columns(['project_id', 'fingerprint_id']).doNothing())
      .executeTakeFirst();
    if (created.numInsertedOrUpdatedRows === 0n)
      throw new ActionError('Invalid', 'The project has a device with this fingerprint already.');
    const deviceId = ids.device.of(rawId);
    emit('devices_Created', { deviceId, projectId: input.projectId });
    return { deviceId };
  },
};
