import { createPublicKey, randomUUID } from 'node:crypto';
import type { Json } from '@corral/contract';
import { errors, jwtVerify, SignJWT } from 'jose';
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

/** Signs a token by which other services recognise a device; `key` is the seed of an Ed25519 key. */
export function signDeviceToken(key: Buffer, token: NewDeviceToken): Promise<string> {
  const { deviceId, claims, issuedBy, issuedAt, validForSecs } = token;
  const actor = issuedBy === undefined ? {} : { act: { sub: issuedBy } };
  return new SignJWT({ claims, ...actor })
    .setProtectedHeader({ alg: algorithm, typ: mediaType })
    .setIssuer(token.issuer)
    .setAudience(audience)
    .setSubject(deviceId)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(new Date(issuedAt.getTime() + validForSecs * 1000))
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
    return { deviceId: payload.sub ?? '', claims: payload['claims'] as Json };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
