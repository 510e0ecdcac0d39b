import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';

/** Certificates and deployment tokens, by raw ids. */
export interface DeviceCredentialIds {
  readonly certificateIds: readonly string[];
  readonly tokenIds: readonly string[];
}

/** Of these credentials, the certificates that are not active or do not exist, or whose device was deleted, and the tokens that do not exist. */
export async function endedCredentials(
  tx: Database,
  asked: DeviceCredentialIds,
): Promise<DeviceCredentialIds> {
  const { rows } = await sql<DeviceCredentialIds>`
    select
      array(select id from unnest(${asked.certificateIds}::text[]) as a(id) where not exists (
        select 1 from device_certificates c join devices d using (device_id)
        where c.certificate_id = a.id and c.status = 'Active')) as "certificateIds",
      array(select id from unnest(${asked.tokenIds}::text[]) as a(id) where not exists (
        select 1 from deployment_tokens t where t.token_id = a.id)) as "tokenIds"`.execute(tx);
  return rows[0] ?? { certificateIds: [], tokenIds: [] };
}
