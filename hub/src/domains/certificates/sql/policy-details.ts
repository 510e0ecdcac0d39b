import type { Output } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { isAccepted } from '../../devices/index.ts';
import { issuing } from './renewals.ts';

type Policy = Output<'projects_GetCertificatePolicy'>;
type Authority = Omit<Policy['authorities'][number], 'authorityId'> & { readonly authorityId: string };

/** Reads what a project demands, its authorities newest first with raw ids, and how many devices hold what; undefined if it is gone. */
export async function readCertificatePolicy(
  tx: Database,
  projectId: string,
  now: Date,
): Promise<(Omit<Policy, 'authorities'> & { readonly authorities: readonly Authority[] }) | undefined> {
  const { rows } = await sql<Omit<Policy, 'authorities'>>`
    with holding as (
      select c.device_id, bool_or(c.authority_id is not null) as has_issued from device_certificates c join devices d using (device_id)
      where d.project_id = ${projectId} and ${isAccepted(now)} group by c.device_id
    )
    select demands_certificates as "isDemanded", certificate_days as "validForDays",
      (select count(*) from holding where has_issued)::int as "devicesWithIssued",
      (select count(*) from holding where not has_issued)::int as "devicesWithout"
    from projects where project_id = ${projectId}`.execute(tx);
  const authorities = await sql<Authority>`
    select a.authority_id as "authorityId", a.name, a.fingerprint, a.certificate_pem as "certificatePem",
      a.authority_id is not distinct from (select i.authority_id from (${issuing(sql`${projectId}`, now)}) as i) as "isIssuing",
      a.created_at as "createdAt", a.ends_at as "endsAt",
      (select count(distinct c.device_id) from device_certificates c where c.authority_id = a.authority_id and ${isAccepted(now)})::int as devices
    from certificate_authorities a where a.project_id = ${projectId} order by a.created_at desc, a.authority_id`.execute(
    tx,
  );
  return rows[0] && { ...rows[0], authorities: authorities.rows };
}
