import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../projects/index.ts';

/** Accepts those of the certificates that are pending in the project; of the others it does not say why they are not. */
export const AcceptDeviceCertificates: Handler<'projects_AcceptDeviceCertificates', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, input: { certificateIds }, emit }, { projectId }) {
    const deviceOf = await accept(tx, projectId, certificateIds.map(ids.deviceCertificate.raw));
    const acceptedIds = certificateIds.filter((id) => deviceOf.has(ids.deviceCertificate.raw(id)));
    for (const certificateId of acceptedIds)
      emit('devices_CertificateStatusChanged', {
        projectId: ids.project.of(projectId),
        deviceId: ids.device.of(deviceOf.get(ids.deviceCertificate.raw(certificateId)) ?? ''),
        certificateId,
        status: 'Active',
      });
    const accepted = new Set(acceptedIds);
    return { acceptedIds, unchangedIds: certificateIds.filter((id) => !accepted.has(id)) };
  },
};

/** Answers the devices of the accepted certificates, by certificate. All calls lock in one order, so that none waits for another in a circle. */
async function accept(
  tx: Database,
  projectId: string,
  rawIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; deviceId: string }>`
    with pending as (
      select c.certificate_id from device_certificates c join devices d using (device_id)
      where c.certificate_id = any(${rawIds}) and c.status = 'Pending' and d.project_id = ${projectId}
      order by c.certificate_id for no key update of c
    )
    update device_certificates c set status = 'Active' from pending p where c.certificate_id = p.certificate_id
    returning c.certificate_id as id, c.device_id as "deviceId"`.execute(tx);
  return new Map(rows.map(({ id, deviceId }) => [id, deviceId]));
}
