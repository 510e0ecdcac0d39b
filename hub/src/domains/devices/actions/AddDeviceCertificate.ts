import { ActionError, ids } from '@corral/contract';
import { newRawId } from '../../../auth/random.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeDevice, type ProjectAccess } from '../../projects/index.ts';
import { endForeign } from '../sql/accepted-certificates.ts';
import { trimCertificates } from '../sql/certificates.ts';

/** Adds a certificate to a device by its fingerprint; beyond the number that a device may have, its oldest rejected one is deleted. */
export const AddDeviceCertificate: Handler<'devices_AddDeviceCertificate', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeDevice(tx, actor, input.deviceId),

  async run({ tx, input, now, emit }, { projectId }) {
    const rawId = newRawId();
    const status = input.status ?? 'Pending';
    const added = await tx
      .insertInto('device_certificates')
      .values({
        certificate_id: rawId,
        device_id: ids.device.raw(input.deviceId),
        fingerprint: input.fingerprint,
        status,
        created_at: now,
      })
      .onConflict((conflict) => conflict.columns(['device_id', 'fingerprint']).doNothing())
      .executeTakeFirst();
    if (added.numInsertedOrUpdatedRows === 0n)
      throw new ActionError('Invalid', 'The device has this certificate already.');
    await endForeign(tx, [rawId], now);
    const certificateId = ids.deviceCertificate.of(rawId);
    const { deviceId } = input;
    const data = { projectId: ids.project.of(projectId), deviceId, certificateId, status };
    emit('devices_CertificateAdded', data);
    for (const trimmed of await trimCertificates(tx, ids.device.raw(deviceId), rawId, now))
      emit('devices_CertificateDeleted', {
        projectId: data.projectId,
        deviceId,
        certificateId: ids.deviceCertificate.of(trimmed),
      });
    return { certificateId };
  },
};
