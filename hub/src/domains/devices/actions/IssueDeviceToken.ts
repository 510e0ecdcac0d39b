import { ActionError, ids, type Json } from '@corral/contract';
import { deviceKeyPurpose, signDeviceToken } from '../../../auth/device-token.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustHaveDeviceAccess } from '../../projects/index.ts';
import { validitySecs } from '../policy/token-lifetimes.ts';
import { instanceKey } from '../../instance/index.ts';

const maxClaimsBytes = 8_192;

/** Issues a token that identifies a device to third parties; it also names the user if one requested it. */
export const IssueDeviceToken: Handler<'devices_IssueDeviceToken', { readonly projectId: string }> = {
  authorize: ({ tx, actor, input }) => mustHaveDeviceAccess(tx, actor, input.deviceId),

  async run({ tx, actor, input, now, emit, origins, vault }, { projectId }) {
    const { deviceId } = input;
    const jwt = await signDeviceToken(await instanceKey({ tx, now, vault }, deviceKeyPurpose), {
      deviceId,
      claims: mustBeShort(input.claims ?? null),
      issuer: origins.console,
      issuedBy: 'userId' in actor ? actor.userId : undefined,
      issuedAt: now,
      validForSecs: validitySecs(input.validForSecs, 'device token'),
    });
    emit('devices_TokenIssued', { deviceId, projectId: ids.project.of(projectId) });
    return { jwt };
  },
};

function mustBeShort(claims: Json): Json {
  if (Buffer.byteLength(JSON.stringify(claims)) <= maxClaimsBytes) return claims;
  throw new ActionError('Invalid', `The claims may be at most ${maxClaimsBytes / 1024} KiB of JSON.`);
}
