import { ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { notFound } from '../../policy/actors.ts';
import { mustSeeCertificate, type ProjectAccess } from '../../policy/projects.ts';

/** Deletes a certificate; gateways close its connections on the event. */
export const DeleteDeviceCertificate: Handler<'devices_DeleteDeviceCertificate', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeCertificate(tx, actor, input.certificateId),

  async run({ tx, input, emit }, { projectId }) {
    const deleted = await tx
      .deleteFrom('device_certificates')
      .where('certificate_id', '=', ids.deviceCertificate.raw(input.certificateId))
      .returning('device_id')
      .executeTakeFirst();
    if (deleted === undefined) throw notFound('Certificate');
    emit('devices_CertificateDeleted', {
      projectId: ids.project.of(projectId),
      deviceId: ids.device.of(deleted.device_id),
      certificateId: input.certificateId,
    });
    return {};
  },
};
