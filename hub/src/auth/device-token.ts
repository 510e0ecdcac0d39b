import { createPublicKey, randomUUID } from 'node:crypto';
import { parseExactJson, type Json } from '@corral/contract';
import { CompactSign, errors, jwtVerify } from 'jose';
import { ed25519PrivateKey } from './ed25519.ts';

const algorithm = 'EdDSA';
const audience = 'device';
const mediaType = 'device+jwt';

/** The purpose of the instance key that signs these tokens. */
export const deviceKeyPurpose = 'device-token';

/** The claims of a token about a device. */
export interface DeviceClaims {
  readonly deviceId: string;
  readonly claims: Json;
}

interface NewDeviceToken extends DeviceClaims {
  /** The origin of the hub. */
  readonly issuer: string;
  /** The person who requested it; undefined when the device did so itself. */
  readonly issuedBy: string | undefined;
  readonly issuedAt: Date;
  readonly validForSecs: number;
}

/**
 * Signs a token by which other services recognise a device; `key` is the seed of an Ed25519 key. The payload is serialized here, because jose copies what it is given, and a copy of a large
 * integer is none.
 */
export function signDeviceToken(key: Buffer, token: NewDeviceToken): Promise<string> {
  const { deviceId, claims, issuedBy, issuedAt, validForSecs } = token;
  const issuedAtSecs = Math.floor(issuedAt.getTime() / 1000);
  const payload = {
    claims,
    ...(issuedBy === undefined ? {} : { act: { sub: issuedBy } }),
    iss: token.issuer,
    aud: audience,
    sub: deviceId,
    jti: randomUUID(),
    iat: issuedAtSecs,
    exp: issuedAtSecs + validForSecs,
  };
  return new CompactSign(Buffer.from(JSON.stringify(payload)))
    .setProtectedHeader({ alg: algorithm, typ: mediaType })
    .sign(ed25519PrivateKey(key));
}

/** The claims of a token; undefined unless this hub signed it for this purpose and it has not expired. */
export async function readDeviceToken(
  key: Buffer,
  token: string,
  now: Date,
): Promise<DeviceClaims | undefined> {
  try {
    const { payload } = await jwtVerify(token, createPublicKey(ed25519PrivateKey(key)), {
      algorithms: [algorithm],
      audience,
      typ: mediaType,
      currentDate: now,
      requiredClaims: ['jti', 'sub', 'iat', 'exp', 'claims'],
    });
    const { claims } = parseExactJson(payloadText(token)) as { claims: Json };
    return { deviceId: payload.sub ?? '', claims };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/** The JSON of the payload of a token, as it was signed. */
function payloadText(token: string): string {
  return Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
}
