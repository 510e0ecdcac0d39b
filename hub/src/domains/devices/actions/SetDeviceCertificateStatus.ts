import { ActionError, ids, type DeviceCertificateStatus } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustSeeCertificate, type ProjectAccess } from '../../projects/index.ts';
import { endForeign, foreignGraceEnd } from '../sql/accepted-certificates.ts';

/** The allowed transitions, by the new status. */
const cameFrom: Record<DeviceCertificateStatus, DeviceCertificateStatus[]> = {
  Pending: [],
  Active: ['Pending'],
  Rejected: ['Pending'],
  Revoked: ['Active'],
};

/** Accepts or rejects a pending certificate, or revokes an active one; gateways close connections on the event. An owner accepts an active one that ends for another day. */
export const SetDeviceCertificateStatus: Handler<'devices_SetDeviceCertificateStatus', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeCertificate(tx, actor, input.certificateId),

  async run({ tx, input, now, emit }, { projectId, isOwner }) {
    const rawId = ids.deviceCertificate.raw(input.certificateId);
    const before = cameFrom[input.status];
    const mayProlong = isOwner && input.status === 'Active';
    const { rows } = await sql<{ device_id: string }>`
      update device_certificates set status = ${input.status},
        ends_at = case when ${mayProlong} and status = 'Active' then greatest(ends_at, ${foreignGraceEnd(now)}) else ends_at end
      where certificate_id = ${rawId}
        and (status = any(${before}) or (${mayProlong} and status = 'Active' and ends_at is not null))
      returning device_id`.execute(tx);
    const [changed] = rows;
    if (changed === undefined) throw await refusalOf(tx, rawId, input.status);
    if (input.status === 'Active') await endForeign(tx, [rawId], now);
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
