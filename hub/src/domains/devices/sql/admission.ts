import type { DeviceCertificateStatus } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { batch } from '../../../platform/db/batch.ts';

/** The rows of a deployment token, a fingerprint and a certificate; raw ids, null if a row does not exist yet. */
export interface Credentials {
  readonly tokenId: string;
  readonly tokenHash: Buffer;
  readonly projectId: string;
  readonly autoAccept: boolean;
  /** Whether the recorded last use of the token is more than a minute old. */
  readonly isUseStale: boolean;
  /** Whether the token enrols no more devices: it has expired, or has enrolled as many as it may. */
  readonly hasEnded: boolean;
  /** Whether only the first device that uses it may. */
  readonly isForOne: boolean;
  /** That device. */
  readonly boundTo: string | null;
  /** Whether the next certificate of that device is the first, which is accepted. */
  readonly acceptsFirst: boolean;
  readonly deviceId: string | null;
  readonly fingerprintHash: Buffer | null;
  readonly certificateId: string | null;
  /** An active certificate that has ended is not accepted. */
  readonly status: DeviceCertificateStatus | 'Ended' | null;
  /** Whether nobody knows who signed the certificate, and an authority of the project may have. */
  readonly maySignerBeFound: boolean;
}

/** The credentials that a device presents, by lookup key. */
export interface PresentedCredentials {
  readonly tokenId: string;
  readonly fingerprintId: string;
  readonly certificate: string;
}

const lastUseIntervalMs = 60_000;

const certificateColumns = (now: RawBuilder<unknown>) => sql`
  case when c.status = 'Active' and c.ends_at <= ${now}::timestamptz then 'Ended' else c.status end as status,
  coalesce(c.authority_id is null and c.status in ('Pending', 'Active'), true)
    and exists (select 1 from certificate_authorities a where a.project_id = t.project_id) as "maySignerBeFound"`;

/** Reads the token, device and certificate of an admission in one statement; undefined for a token that does not exist. */
export async function findCredentials(
  tx: Database,
  presented: PresentedCredentials,
  now: Date,
): Promise<Credentials | undefined> {
  const { rows } = await sql<Credentials>`
    select t.token_id as "tokenId", t.secret_hash as "tokenHash", t.project_id as "projectId", t.auto_accept as "autoAccept",
      coalesce(t.last_used_at <= ${new Date(now.getTime() - lastUseIntervalMs)}, true) as "isUseStale",
      coalesce(t.expires_at <= ${now}, false) or coalesce(t.uses >= t.max_uses, false) as "hasEnded",
      t.is_for_one as "isForOne", t.device_id as "boundTo", coalesce(t.accepts_until > ${now}, false) as "acceptsFirst",
      d.device_id as "deviceId", d.fingerprint_hash as "fingerprintHash", c.certificate_id as "certificateId", ${certificateColumns(sql`${now}`)}
    from deployment_tokens t
    left join devices d on d.project_id = t.project_id and d.fingerprint_id = ${presented.fingerprintId}
    left join device_certificates c on c.device_id = d.device_id and c.fingerprint = ${presented.certificate}
    where t.token_id = ${presented.tokenId}`.execute(tx);
  return rows[0];
}

/** The same outside a transaction: concurrent lookups share one statement. */
export const findCredentialsInBatch = batch(findAllCredentials);

async function findAllCredentials(
  db: Database,
  lookups: readonly (PresentedCredentials & { readonly now: Date })[],
): Promise<(Credentials | undefined)[]> {
  const questions = lookups.map(({ now, ...presented }, place) => ({
    ...presented,
    place,
    now,
    staleBefore: new Date(now.getTime() - lastUseIntervalMs),
  }));
  // `lateral` looks up each question through the indexes: a plain join may scan all devices.
  const { rows } = await sql<Credentials & { readonly place: number }>`
    select q.place, found.* from json_to_recordset(${JSON.stringify(questions)}::json)
      as q(place integer, "tokenId" text, "fingerprintId" text, certificate text, now timestamptz, "staleBefore" timestamptz)
    cross join lateral (
      select t.token_id as "tokenId", t.secret_hash as "tokenHash", t.project_id as "projectId", t.auto_accept as "autoAccept",
        coalesce(t.last_used_at <= q."staleBefore", true) as "isUseStale",
        coalesce(t.expires_at <= q.now, false) or coalesce(t.uses >= t.max_uses, false) as "hasEnded",
        t.is_for_one as "isForOne", t.device_id as "boundTo", coalesce(t.accepts_until > q.now, false) as "acceptsFirst",
        d.device_id as "deviceId", d.fingerprint_hash as "fingerprintHash", c.certificate_id as "certificateId", ${certificateColumns(sql`q.now`)}
      from deployment_tokens t
      left join devices d on d.project_id = t.project_id and d.fingerprint_id = q."fingerprintId"
      left join device_certificates c on c.device_id = d.device_id and c.fingerprint = q.certificate
      where t.token_id = q."tokenId" offset 0
    ) as found`.execute(db);
  const answers: (Credentials | undefined)[] = lookups.map(() => undefined);
  for (const { place, ...found } of rows) answers[place] = found;
  return answers;
}

/** Records the use of a token; skipped while another transaction does it. */
export async function recordTokenUse(tx: Database, tokenId: string, now: Date): Promise<void> {
  await sql`update deployment_tokens set last_used_at = ${now} where token_id =
    (select token_id from deployment_tokens where token_id = ${tokenId} for no key update skip locked)`.execute(
    tx,
  );
}

/** How many enrolments a project has had lately, and has pending. */
export interface EnrolmentLoad {
  /** Certificates of enrolled devices since the given moment. */
  readonly recent: number;
  readonly pending: number;
}

/** Counts the enrolments of a project; pending certificates only up to the limit. */
export async function measureEnrolmentLoad(
  tx: Database,
  projectId: string,
  since: Date,
  pendingLimit: number,
): Promise<EnrolmentLoad> {
  const { rows } = await sql<EnrolmentLoad>`
    select (
      select count(*) from device_certificates c join devices d using (device_id)
      where c.created_at > ${since} and d.project_id = ${projectId} and d.enrolled_by is not null
    ) as recent, (
      select count(*) from (
        select 1 from device_certificates c join devices d using (device_id)
        where c.status = 'Pending' and d.project_id = ${projectId} limit ${pendingLimit}
      ) as waiting
    ) as pending`.execute(tx);
  return rows[0] ?? { recent: 0, pending: 0 };
}

/** A device and its first certificate, as they are about to be enrolled; raw ids. */
export interface Enrolment {
  readonly deviceId: string;
  readonly fingerprintId: string;
  readonly fingerprintHash: Buffer;
  readonly certificateId: string;
  readonly certificate: string;
  readonly status: DeviceCertificateStatus;
  /** Where it comes from. */
  readonly address: string | undefined;
  /** The authority that signed the certificate, by its raw id, and when it ends. */
  readonly signer: { readonly authorityId: string; readonly endsAt: Date } | undefined;
}

/** Enrols a new device with its certificate by a token, and counts it; false if the token is deleted or has ended, or another connection was first. */
export async function enrolDevice(
  tx: Database,
  tokenId: string,
  enrolment: Enrolment,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    with token as (
      select * from deployment_tokens where token_id = ${tokenId}
        and coalesce(expires_at > ${now}, true) and coalesce(uses < max_uses, true) for no key update
    ), device as (
      insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, enrolled_by, created_at)
      select ${enrolment.deviceId}, project_id, ${enrolment.fingerprintId}, ${enrolment.fingerprintHash}, token_id, ${now}
      from token
      on conflict (project_id, fingerprint_id) do nothing
      returning device_id
    ), counted as (
      update deployment_tokens set uses = uses + 1, accepts_until = null,
        device_id = case when is_for_one then ${enrolment.deviceId} end
      where token_id = ${tokenId} and exists (select 1 from device)
    )
    insert into device_certificates (certificate_id, device_id, fingerprint, status, address, token_id, created_at, authority_id, ends_at)
    select ${enrolment.certificateId}, device_id, ${enrolment.certificate}, ${enrolment.status}, ${enrolment.address ?? null}, ${tokenId}, ${now},
      ${enrolment.signer?.authorityId ?? null}, ${enrolment.signer?.endsAt ?? null} from device
    returning 1`.execute(tx);
  return rows.length > 0;
}

/** Adds a certificate to a known device; false if the device is deleted or has it already. */
export async function addCertificateTo(
  tx: Database,
  added: Pick<Enrolment, 'deviceId' | 'certificateId' | 'certificate' | 'status' | 'address' | 'signer'> & {
    readonly tokenId: string;
  },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into device_certificates (certificate_id, device_id, fingerprint, status, address, token_id, created_at, authority_id, ends_at)
    select ${added.certificateId}, device_id, ${added.certificate}, ${added.status}, ${added.address ?? null}, ${added.tokenId}, ${now},
      ${added.signer?.authorityId ?? null}, ${added.signer?.endsAt ?? null}
    from (select device_id from devices where device_id = ${added.deviceId} for key share) as device
    on conflict (device_id, fingerprint) do nothing
    returning 1`.execute(tx);
  return rows.length > 0;
}

/** Whether a device of the project other than that of the fingerprint, by its lookup key, has the certificate. */
export async function hasAnotherDevice(
  tx: Database,
  projectId: string,
  fingerprintId: string,
  certificate: string,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from device_certificates c join devices d using (device_id)
    where c.fingerprint = ${certificate} and d.project_id = ${projectId} and d.fingerprint_id <> ${fingerprintId} limit 1`.execute(
    tx,
  );
  return rows.length > 0;
}
