import { ActionError } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';
import { lockDevice } from './device-properties.ts';

/** The most certificates of one device, whatever their status. */
export const maxCertificates = 100;

/**
 * Deletes the oldest rejected certificates of a device that has more than it may have, and returns their raw ids. Revoked ones stay, because a deleted one would come
 * back as pending. Throws an `ActionError` of kind Invalid if too few are rejected.
 */
export async function trimCertificates(tx: Database, deviceId: string, added: string): Promise<string[]> {
  // Of two calls at the same time the later one counts what the earlier one added.
  await lockDevice(tx, deviceId);
  const { rows: counted } = await sql<{ count: number }>`
    select count(*) from device_certificates where device_id = ${deviceId}`.execute(tx);
  const excess = (counted[0]?.count ?? 0) - maxCertificates;
  if (excess <= 0) return [];
  const { rows } = await sql<{ certificate_id: string }>`
    delete from device_certificates where certificate_id in (
      select certificate_id from device_certificates
      where device_id = ${deviceId} and status = 'Rejected' and certificate_id <> ${added}
      order by created_at, certificate_id limit ${excess}
    ) returning certificate_id`.execute(tx);
  if (rows.length === excess) return rows.map(({ certificate_id }) => certificate_id);
  throw new ActionError(
    'Invalid',
    `The device has ${maxCertificates} certificates, and may have no more. Reject pending ones, or delete some that are no longer needed, first.`,
  );
}
