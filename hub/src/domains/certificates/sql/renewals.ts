import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

/** The authority of a project that issues: the newest that has a key and has not ended, as columns of `i`. */
export const issuing = (projectId: RawBuilder<unknown>, now: Date): RawBuilder<unknown> => sql`
  select a.authority_id, a.certificate_pem, a.sealed, a.sealed_under from certificate_authorities a
  where a.project_id = ${projectId} and a.sealed is not null and a.ends_at > ${now}
  order by a.created_at desc, a.authority_id limit 1`;

/** Who issues to a device, and whether it should ask. */
export interface Renewal {
  readonly authority_id: string;
  readonly certificate_pem: string;
  readonly sealed: Buffer;
  readonly sealed_under: string;
  readonly validForDays: number;
  readonly isDue: boolean;
  /** Whether it was issued one moments ago: asking again and again would fill the audit log. */
  readonly wasJustIssued: boolean;
}

const againAfterMs = 60_000;

/**
 * Reads the renewal of the certificate of a device that it came with, all by raw ids; undefined where nobody issues. It is due where the certificate is of another authority than the one that issues, past two
 * thirds of its life, or to be replaced at the wish of an owner; not in the time of grace of the one before.
 */
export async function readRenewal(
  tx: Database,
  { deviceId, certificateId }: { readonly deviceId: string; readonly certificateId: string },
  now: Date,
): Promise<Renewal | undefined> {
  const { rows } = await sql<Renewal>`
    select i.*, p.certificate_days as "validForDays", r.state is distinct from 'Arrived' and (
        c.authority_id is distinct from i.authority_id or c.created_at + (c.ends_at - c.created_at) * 2 / 3 <= ${now}
        or coalesce(r.state = 'Open' and r.until > ${now}, false)) as "isDue",
      coalesce(r.announced_at > ${new Date(now.getTime() - againAfterMs)}, false) as "wasJustIssued"
    from device_certificates c join devices d using (device_id) join projects p on p.project_id = d.project_id
    left join certificate_rotations r on r.device_id = d.device_id and r.ended_at is null
    join lateral (${issuing(sql`p.project_id`, now)}) as i on true
    where c.certificate_id = ${certificateId} and c.device_id = ${deviceId}`.execute(tx);
  return rows[0];
}
