import { ids, type Id } from '@corral/contract';
import { deviceKeyPurpose, readDeviceToken } from '../../../auth/device-token.ts';
import type { Database } from '../../../platform/db/connect.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mayReadTokensOf, mustBeTokenChecker } from '../policy/token-checks.ts';
import { existingInstanceKey } from '../../instance/index.ts';

/** Validates a token of a device that may still connect. Users may validate tokens of devices that they may access. */
export const ValidateDeviceToken: Handler<'devices_ValidateDeviceToken'> = {
  authorize: ({ actor }) => mustBeTokenChecker(actor),

  async run({ tx, actor, input, now, vault }) {
    const key = await existingInstanceKey({ tx, vault }, deviceKeyPurpose);
    const token = key === undefined ? undefined : await readDeviceToken(key, input.jwt, now);
    if (token === undefined) return { result: 'Invalid' };
    const { claims } = token;
    const deviceId = token.deviceId as Id<'device'>;
    const isShown =
      (await hasActiveCertificate(tx, deviceId, now)) &&
      (await mayReadTokensOf(tx, actor, ids.device.raw(deviceId)));
    return isShown ? { result: 'Valid', deviceId, claims } : { result: 'Invalid' };
  },
};

/** A device whose certificates are all revoked, rejected, pending, ended or deleted is not admitted, and the tokens that it has issued for itself end with that. */
async function hasActiveCertificate(tx: Database, deviceId: Id<'device'>, now: Date): Promise<boolean> {
  const row = await tx
    .selectFrom('devices')
    .innerJoin('device_certificates', 'device_certificates.device_id', 'devices.device_id')
    .select('certificate_id')
    .where('devices.device_id', '=', ids.device.raw(deviceId))
    .where('status', '=', 'Active')
    .where((is) => is.or([is('ends_at', 'is', null), is('ends_at', '>', now.toISOString())]))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
