import type { DeviceCertificateStatus } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';
import { inBatches } from '../db/in-batches.ts';

/** What a deployment token, a fingerprint and a certificate name; raw ids, null where there is nothing yet. */
export interface Credentials {
  readonly tokenId: string;
  readonly tokenHash: Buffer;
  readonly projectId: string;
  readonly autoAccept: boolean;
  /** Whether the last use of the token is so long ago that it should be noted anew. */
  readonly isUseStale: boolean;
  readonly deviceId: string | null;
  readonly fingerprintHash: Buffer | null;
  readonly certificateId: string | null;
  readonly status: DeviceCertificateStatus | null;
}

/** What a device shows at the door, by lookup key. */
export interface Shown {
  readonly tokenId: string;
  readonly fingerprintId: string;
  readonly certificate: string;
}

const useNotedEveryMs = 60_000;

/** Reads in one statement all that an admission rests on; nothing for a token that does not exist. */
export async function findCredentials(
  tx: Database,
  shown: Shown,
  now: Date,
): Promise<Credentials | undefined> {
  const { rows } = await sql<Credentials>`
    select t.token_id as "tokenId", t.secret_hash as "tokenHash", t.project_id as "projectId", t.auto_accept as "autoAccept",
      coalesce(t.last_used_at <= ${new Date(now.getTime() - useNotedEveryMs)}, true) as "isUseStale",
      d.device_id as "deviceId", d.fingerprint_hash as "fingerprintHash", c.certificate_id as "certificateId", c.status
    from deployment_tokens t
    left join devices d on d.project_id = t.project_id and d.fingerprint_id = ${shown.fingerprintId}
    left join device_certificates c on c.device_id = d.device_id and c.fingerprint = ${shown.certificate}
    where t.token_id = ${shown.tokenId}`.execute(tx);
  return rows[0];
}

/** The same outside a transaction, where all who are admitted at the same time are looked up by one statement. */
export const findCredentialsTogether = inBatches(findAllCredentials);

async function findAllCredentials(
  db: Database,
  asked: readonly (Shown & { readonly now: Date })[],
): Promise<(Credentials | undefined)[]> {
  const questions = asked.map(({ now, ...shown }, place) => ({
    ...shown,
    place,
    staleBefore: new Date(now.getTime() - useNotedEveryMs),
  }));
  // Question by question through the indexes: a join with all devices at once would read them all.
  const { rows } = await sql<Credentials & { readonly place: number }>`
    select q.place, found.* from json_to_recordset(${JSON.stringify(questions)}::json)
      as q(place integer, "tokenId" text, "fingerprintId" text, certificate text, "staleBefore" timestamptz)
    cross join lateral (
      select t.token_id as "tokenId", t.secret_hash as "tokenHash", t.project_id as "projectId", t.auto_accept as "autoAccept",
        coalesce(t.last_used_at <= q."staleBefore", true) as "isUseStale",
        d.device_id as "deviceId", d.fingerprint_hash as "fingerprintHash", c.certificate_id as "certificateId", c.status
      from deployment_tokens t
      left join devices d on d.project_id = t.project_id and d.fingerprint_id = q."fingerprintId"
      left join device_certificates c on c.device_id = d.device_id and c.fingerprint = q.certificate
      where t.token_id = q."tokenId" offset 0
    ) as found`.execute(db);
  const answers: (Credentials | undefined)[] = asked.map(() => undefined);
  for (const { place, ...found } of rows) answers[place] = found;
  return answers;
}

/** Notes the use of a token; of many at once one does it, and none waits. */
export async function noteTokenUse(tx: Database, tokenId: string, now: Date): Promise<void> {
  await sql`update deployment_tokens set last_used_at = ${now} where token_id =
    (select token_id from deployment_tokens where token_id = ${tokenId} for no key update skip locked)`.execute(
    tx,
  );
}

/** How much a project has been asked to take in. */
export interface Intake {
  /** Certificates that came in through the door since the given moment. */
  readonly recent: number;
  readonly pending: number;
}

/** Counts what admissions have added to a project, each count only as far as its limit. */
export async function countIntake(
  tx: Database,
  projectId: string,
  since: Date,
  pendingLimit: number,
): Promise<Intake> {
  const { rows } = await sql<Intake>`
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
}

/** Enrols a new device with its certificate by a token; false if the token has gone or another connection was first. */
export async function enrolDevice(
  tx: Database,
  tokenId: string,
  enrolment: Enrolment,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    with device as (
      insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, enrolled_by, created_at)
      select ${enrolment.deviceId}, project_id, ${enrolment.fingerprintId}, ${enrolment.fingerprintHash}, token_id, ${now}
      from (select * from deployment_tokens where token_id = ${tokenId} for key share) as token
      on conflict (project_id, fingerprint_id) do nothing
      returning device_id
    )
    insert into device_certificates (certificate_id, device_id, fingerprint, status, created_at)
    select ${enrolment.certificateId}, device_id, ${enrolment.certificate}, ${enrolment.status}, ${now} from device
    returning 1`.execute(tx);
  return rows.length > 0;
}

/** Adds a pending certificate to a known device; false if the device has gone or has it already. */
export async function addPendingCertificate(
  tx: Database,
  deviceId: string,
  certificateId: string,
  certificate: string,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into device_certificates (certificate_id, device_id, fingerprint, status, created_at)
    select ${certificateId}, device_id, ${certificate}, 'Pending', ${now}
    from (select device_id from devices where device_id = ${deviceId} for key share) as device
    on conflict (device_id, fingerprint) do nothing
    returning 1`.execute(tx);
  return rows.length > 0;
}
