import { ActionError } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { endForeign } from './accepted-certificates.ts';
import { noteDeleted } from './deleted-identities.ts';
import { lockDevice } from './device-properties.ts';
import { amounts } from '../../../limits/amounts.ts';

/** Deletes a certificate of a project, notes that it was deleted, and returns the raw id of its device; undefined if there is none. */
export async function deleteCertificate(
  tx: Database,
  projectId: string,
  certificateId: string,
  now: Date,
): Promise<string | undefined> {
  const { rows } = await sql<{ device_id: string }>`
    with deleted as (
      delete from device_certificates where certificate_id = ${certificateId} returning device_id, fingerprint
    ), noted as (${noteDeleted(sql`select ${projectId}::text as project_id, fingerprint as identity from deleted`, now)})
    select device_id from deleted`.execute(tx);
  return rows[0]?.device_id;
}

/**
 * Deletes the oldest certificates that were rejected or have ended of a device that has more than it may have, or has no room for another where none was added yet, and returns their raw ids. Other revoked ones stay, because a deleted one
 * would be pending when it comes again. Throws an `ActionError` of kind Invalid if too few can go.
 */
export async function trimCertificates(
  tx: Database,
  deviceId: string,
  added: string | undefined,
  now: Date,
): Promise<string[]> {
  // Of two calls at the same time the later one counts what the earlier one added.
  await lockDevice(tx, deviceId);
  const { rows: counted } = await sql<{ count: number }>`
    select count(*) from device_certificates where device_id = ${deviceId}`.execute(tx);
  const wanted = (counted[0]?.count ?? 0) + (added === undefined ? 1 : 0);
  const excess = wanted - amounts.certificates.max;
  if (excess <= 0) return [];
  const { rows } = await sql<{ certificate_id: string }>`
    with deleted as (delete from device_certificates where certificate_id in (
      select certificate_id from device_certificates
      where device_id = ${deviceId} and (status = 'Rejected' or ends_at <= ${now}) and certificate_id <> ${added ?? ''}
      order by created_at, certificate_id limit ${excess}
    ) returning certificate_id, device_id, fingerprint), noted as (${noteDeleted(sql`select project_id, fingerprint as identity from deleted join devices using (device_id)`, now)})
    select certificate_id from deleted`.execute(tx);
  if (rows.length === excess) return rows.map(({ certificate_id }) => certificate_id);
  throw new ActionError(
    'Invalid',
    `The device has ${amounts.certificates.max} certificates, and may have no more. Reject pending ones, or delete some that are no longer needed, first.`,
  );
}

/** Accepts those of these certificates that are pending in the project, and returns their devices by certificate, all by their raw ids. All calls lock in one order, so that none waits for another in a circle. */
export async function acceptCertificates(
  tx: Database,
  projectId: string,
  certificateIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; deviceId: string }>`
    with pending as (
      select c.certificate_id from device_certificates c join devices d using (device_id)
      where c.certificate_id = any(${[...certificateIds]}) and c.status = 'Pending' and d.project_id = ${projectId}
      order by c.certificate_id for no key update of c
    )
    update device_certificates c set status = 'Active' from pending p where c.certificate_id = p.certificate_id
    returning c.certificate_id as id, c.device_id as "deviceId"`.execute(tx);
  const accepted = new Map(rows.map(({ id, deviceId }) => [id, deviceId]));
  await endForeign(tx, [...accepted.keys()], now);
  return accepted;
}
