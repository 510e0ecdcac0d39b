import { ids, type Id } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { isAccepted } from '../sql/accepted-certificates.ts';

interface DeviceCredentials {
  readonly certificateIds: readonly Id<'deviceCertificate'>[];
  readonly tokenIds: readonly Id<'deploymentTokenId'>[];
}

/** Returns which of these certificates and deployment tokens have ended, for the connections that depend on them. */
export const FindEndedCredentials: Internal<DeviceCredentials, DeviceCredentials> = {
  name: 'devices_FindEndedCredentials',
  isQuery: true,
  async run({ tx, input, now }) {
    const asked = {
      certificateIds: input.certificateIds.map(ids.deviceCertificate.raw),
      tokenIds: input.tokenIds.map(ids.deploymentTokenId.raw),
    };
    const ended = await endedCredentials(tx, asked, now);
    return {
      certificateIds: ended.certificateIds.map(ids.deviceCertificate.of),
      tokenIds: ended.tokenIds.map(ids.deploymentTokenId.of),
    };
  },
};

/** Certificates and deployment tokens, by raw ids. */
interface DeviceCredentialIds {
  readonly certificateIds: readonly string[];
  readonly tokenIds: readonly string[];
}

/** Of these credentials, the certificates that are not active, have ended or do not exist, or whose device was deleted, and the tokens that do not exist. */
async function endedCredentials(
  tx: Database,
  asked: DeviceCredentialIds,
  now: Date,
): Promise<DeviceCredentialIds> {
  const { rows } = await sql<DeviceCredentialIds>`
    select
      array(select id from unnest(${asked.certificateIds}::text[]) as a(id) where not exists (
        select 1 from device_certificates c join devices d using (device_id)
        where c.certificate_id = a.id and ${isAccepted(now)})) as "certificateIds",
      array(select id from unnest(${asked.tokenIds}::text[]) as a(id) where not exists (
        select 1 from deployment_tokens t where t.token_id = a.id)) as "tokenIds"`.execute(tx);
  return rows[0] ?? { certificateIds: [], tokenIds: [] };
}
