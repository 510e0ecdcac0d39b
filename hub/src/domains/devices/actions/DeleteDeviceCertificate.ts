import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustSeeCertificate, type ProjectAccess } from '../../projects/index.ts';
import { deleteCertificate } from '../sql/certificates.ts';

/** Deletes a certificate, which no token lets in again by itself for 30 days; gateways close its connections on the event. */
export const DeleteDeviceCertificate: Handler<'devices_DeleteDeviceCertificate', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeCertificate(tx, actor, input.certificateId),

  async run({ tx, input, now, emit }, { projectId }) {
    const deleted = await deleteCertificate(
      tx,
      projectId,
      ids.deviceCertificate.raw(input.certificateId),
      now,
    );
    if (deleted === undefined) throw notFound('Certificate');
    emit('devices_CertificateDeleted', {
      projectId: ids.project.of(projectId),
      deviceId: ids.device.of(deleted),
      certificateId: input.certificateId,
    });
    return {};
  },
};
