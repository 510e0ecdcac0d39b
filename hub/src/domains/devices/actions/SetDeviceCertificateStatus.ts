import { ActionError, ids, type DeviceCertificateStatus } from '@corral/contract';
import type { Database } from '../../../platform/db/connect.ts';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustSeeCertificate, type ProjectAccess } from '../../projects/index.ts';

/** The allowed transitions, by the new status. */
const cameFrom: Record<DeviceCertificateStatus, DeviceCertificateStatus[]> = {
  Pending: [],
  Active: ['Pending'],
  Rejected: ['Pending'],
  Revoked: ['Active'],
};

/** Accepts or rejects a pending certificate, or revokes an active one; gateways close connections on the event. */
export const SetDeviceCertificateStatus: Handler<'devices_SetDeviceCertificateStatus', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeCertificate(tx, actor, input.certificateId),

  async run({ tx, input, emit }, { projectId }) {
    const rawId = ids.deviceCertificate.raw(input.certificateId);
    const before = cameFrom[input.status];
    const changed = await tx
      .updateTable('device_certificates')
      .set({ status: input.status })
      .where('certificate_id', '=', rawId)
      .where((is) => is('status', '=', is.fn.any(is.val(before))))
      .returning('device_id')
      .executeTakeFirst();
    if (changed === undefined) throw await refusalOf(tx, rawId, input.status);
    emit('devices_CertificateStatusChanged', {
      projectId: ids.project.of(projectId),
      deviceId: ids.device.of(changed.device_id),
      certificateId: input.certificateId,
      status: input.status,
    });
    return {};
  },
};

async function refusalOf(tx: Database, rawId: string, wanted: DeviceCertificateStatus): Promise<ActionError> {
  const row = await tx
    .selectFrom('device_certificates')
    .select('status')
    .where('certificate_id', '=', rawId)
    .executeTakeFirst();
  if (row === undefined) return notFound('Certificate');
  return new ActionError(
    'Invalid',
    `A certificate that is ${row.status.toLowerCase()} cannot become ${wanted.toLowerCase()}.`,
  );
}
