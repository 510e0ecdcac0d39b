import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

/** SQL for whether the hub accepts the certificate `c`: it is active and has not ended. */
export const isAccepted = (now: Date | RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(c.status = 'Active' and (c.ends_at is null or c.ends_at > ${now}))`;

const foreignGraceMs = 86_400_000;

/** Until when a foreign certificate that becomes active counts where the project demands issued ones: time in which the device asks for one. */
export const foreignGraceEnd = (now: Date): Date => new Date(now.getTime() + foreignGraceMs);

/** Sets the end of those of these certificates, by raw ids, that have become active, are foreign, and whose project demands issued ones. */
export async function endForeign(tx: Database, certificateIds: readonly string[], now: Date): Promise<void> {
  // The lock orders it before or after a demand that begins meanwhile.
  await sql`
    with demanding as (
      select c.certificate_id, p.demands_certificates from device_certificates c
      join devices d using (device_id) join projects p on p.project_id = d.project_id
      where c.certificate_id = any(${[...certificateIds]})
        and exists (select 1 from certificate_authorities a where a.project_id = p.project_id) for share of p
    )
    update device_certificates c set ends_at = ${foreignGraceEnd(now)} from demanding
    where c.certificate_id = demanding.certificate_id and demands_certificates and c.status = 'Active' and c.authority_id is null and c.ends_at is null`.execute(
    tx,
  );
}

/** Notes who signed an accepted certificate that was foreign before. */
export async function recordSigner(
  tx: Database,
  certificateId: string,
  { authorityId, endsAt }: { readonly authorityId: string; readonly endsAt: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update device_certificates set status = 'Active', authority_id = ${authorityId}, ends_at = ${endsAt}
    where certificate_id = ${certificateId} and status in ('Pending', 'Active')
      and exists (select 1 from certificate_authorities where authority_id = ${authorityId} for key share)`.execute(
    tx,
  );
  return numAffectedRows === 1n;
}
