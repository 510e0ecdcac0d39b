import { randomBytes } from 'node:crypto';
import { errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import { z } from 'zod';

const algorithm = 'HS256';

/** The purpose of the instance key that signs these tokens. */
export const proxyKeyPurpose = 'http-proxy';

/** Lifetime of a single-use entry token, in seconds. */
export const singleUseLifetimeSecs = 60;

/** An `entry` token is in the URL that the browser opens; an `access` token is in the cookie that replaces it. */
export type ProxyTokenKind = 'entry' | 'access';

const grantSchema = z.object({
  /** Identifies the grant; redeemed single-use grants are stored by it. */
  id: z.string(),
  /** Raw ids. The grant ends with its session or user token. */
  userId: z.string(),
  deviceId: z.string(),
  sessionId: z.string().optional(),
  tokenId: z.string().optional(),
  /** The first label of the host name. */
  label: z.string(),
  port: z.number(),
  /** Path on the console's origin to which the browser is redirected once the grant is no longer valid. */
  redirect: z.string().optional(),
  isSingleUse: z.boolean(),
  /** When the access ends, in seconds since 1970. */
  endsAtSecs: z.number(),
});

/** What an HTTP proxy token grants: one user's access to one port of one device until `endsAtSecs`. */
export type ProxyGrant = z.infer<typeof grantSchema>;

/** A verified token. An expired one still carries its grant. */
export interface ReadProxyToken {
  readonly kind: ProxyTokenKind;
  readonly isExpired: boolean;
  readonly grant: ProxyGrant;
}

/** A random id for a new grant. */
export function newGrantId(): string {
  return randomBytes(16).toString('base64url');
}

/** Signs a token that expires at `expiresAtSecs`. */
export function signProxyToken(
  key: Buffer,
  kind: ProxyTokenKind,
  grant: ProxyGrant,
  now: Date,
  expiresAtSecs: number,
): Promise<string> {
  // Hubs of the previous release read the claim by this name.
  const { id, userId, ...pass } = grant;
  return new SignJWT({ pass })
    .setProtectedHeader({ alg: algorithm, typ: mediaTypeOf(kind) })
    .setAudience(`http-proxy-${kind}`)
    .setSubject(userId)
    .setJti(id)
    .setIssuedAt(now)
    .setExpirationTime(expiresAtSecs)
    .sign(key);
}

/** Verifies a token of this kind; undefined unless this hub signed it as one. */
export async function readProxyToken(
  key: Buffer,
  kind: ProxyTokenKind,
  token: string,
  now: Date,
): Promise<ReadProxyToken | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [algorithm],
      audience: `http-proxy-${kind}`,
      typ: mediaTypeOf(kind),
      currentDate: now,
      requiredClaims: ['jti', 'sub', 'iat', 'exp'],
    });
    return { kind, isExpired: false, grant: grantOf(payload) };
  } catch (error) {
    // The signature is checked before the times are.
    if (error instanceof errors.JWTExpired) return { kind, isExpired: true, grant: grantOf(error.payload) };
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/** Whether a text has the form of a token of this kind, without checking its signature. Such a text is never passed to a device. */
export function isProxyToken(kind: ProxyTokenKind, text: string): boolean {
  const [header = '', ...rest] = text.split('.');
  if (rest.length !== 2) return false;
  try {
    const { typ } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { typ?: unknown };
    return typ === mediaTypeOf(kind);
  } catch {
    return false;
  }
}

function mediaTypeOf(kind: ProxyTokenKind): string {
  return `http-proxy-${kind}+jwt`;
}

function grantOf({ sub, jti, pass: claims }: JWTPayload): ProxyGrant {
  return grantSchema.parse({ ...(claims as object), id: jti, userId: sub });
}
