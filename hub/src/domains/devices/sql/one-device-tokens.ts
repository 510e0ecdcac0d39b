import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

/** Binds a token for one device to a known device, by raw ids; false if it is another's meanwhile. */
export async function bindToken(tx: Database, tokenId: string, deviceId: string): Promise<boolean> {
  const { rows } = await sql`
    update deployment_tokens set device_id = ${deviceId}, uses = 1
    where token_id = ${tokenId} and is_for_one and device_id is null returning 1`.execute(tx);
  return rows.length > 0;
}

/** Whether the device of a token shows its first certificate now, in time; true once. */
export async function takeFirstCertificate(tx: Database, tokenId: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update deployment_tokens set accepts_until = null
    where token_id = ${tokenId} and accepts_until > ${now} returning 1`.execute(tx);
  return rows.length > 0;
}
