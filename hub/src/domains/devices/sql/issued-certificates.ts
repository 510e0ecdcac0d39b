import { type Actor } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { trimRotations } from './certificate-rotations.ts';

/** A certificate that an authority issued to a device, by raw ids. */
export interface IssuedCertificate {
  readonly certificateId: string;
  readonly deviceId: string;
  readonly authorityId: string;
  readonly fingerprint: string;
  readonly endsAt: Date;
}

/** Adds a certificate that was issued as active. */
export async function addIssued(tx: Database, issued: IssuedCertificate, now: Date): Promise<void> {
  const { certificateId, deviceId, authorityId, fingerprint, endsAt } = issued;
  await sql`
    insert into device_certificates (certificate_id, device_id, fingerprint, status, created_at, authority_id, ends_at)
    values (${certificateId}, ${deviceId}, ${fingerprint}, 'Active', ${now}, ${authorityId}, ${endsAt})`.execute(
    tx,
  );
}

/** Deletes a certificate that a device was given and never used; whether it was. */
export async function deleteUnused(tx: Database, certificateId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from device_certificates c where certificate_id = ${certificateId} and not exists (
      select 1 from device_connections k where k.device_id = c.device_id and k.certificate_id = c.certificate_id)`.execute(
    tx,
  );
  return numAffectedRows === 1n;
}

/** A rotation that a device itself began, by raw ids. */
export interface OwnRotation {
  readonly rotationId: string;
  readonly projectId: string;
  readonly deviceId: string;
  readonly startedBy: Actor;
  readonly until: Date;
  /** The time of grace of the old certificate. */
  readonly graceSecs: number;
}

/** Begins the rotation of a locked device, or goes on with the running one, whose time of grace may become shorter; returns its raw id. */
export async function beginOwnRotation(tx: Database, begun: OwnRotation, now: Date): Promise<string> {
  await trimRotations(tx, [begun.deviceId]);
  const { rows } = await sql<{ rotationId: string }>`
    insert into certificate_rotations as r (rotation_id, project_id, device_id, nonce, state, grace_secs, started_by, started_at, until)
    values (${begun.rotationId}, ${begun.projectId}, ${begun.deviceId}, ${begun.rotationId}, 'Open', ${begun.graceSecs},
      ${JSON.stringify(begun.startedBy)}::jsonb, ${now}, ${begun.until})
    on conflict (device_id) where ended_at is null do update set grace_secs = least(r.grace_secs, excluded.grace_secs),
      until = greatest(r.until, excluded.until)
    returning rotation_id as "rotationId"`.execute(tx);
  return rows[0]?.rotationId ?? begun.rotationId;
}
