import { randomBytes } from 'node:crypto';
import { errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import { z } from 'zod';

const algorithm = 'HS256';

/** The purpose under which the instance keeps the key of these tokens. */
export const proxyKeyPurpose = 'http-proxy';

/** For how long a way into a device's web pages that works once is open, in seconds. */
export const singleEntryForSecs = 60;

/** `entry` stands in the address that a browser is sent to; `access` in the cookie that it gets for it. */
export type ProxyTokenKind = 'entry' | 'access';

const pass = z.object({
  /** Names this way in; what is redeemed once is remembered by it. */
  id: z.string(),
  /** The raw ids of whom, of which device, and of the session or user token that all rests on. */
  userId: z.string(),
  deviceId: z.string(),
  sessionId: z.string().optional(),
  tokenId: z.string().optional(),
  /** The first label of the host name. */
  label: z.string(),
  port: z.number(),
  /** Where on the console's origin a browser goes when there is no way in any more. */
  redirect: z.string().optional(),
  isSingleUse: z.boolean(),
  /** When the access ends, in seconds since 1970. */
  endsAtSecs: z.number(),
});

/** What a token of the HTTP proxy grants: one user's way to one port of one device, until it ends. */
export type ProxyPass = z.infer<typeof pass>;

/** What a token turned out to be; an outdated one still says what it was for. */
export interface ReadProxyToken {
  readonly kind: ProxyTokenKind;
  readonly isOutdated: boolean;
  readonly pass: ProxyPass;
}

/** An id for a new way in. */
export function newPassId(): string {
  return randomBytes(16).toString('base64url');
}

/** Signs a token; it is good until `expiresAtSecs`. */
export function signProxyToken(
  key: Buffer,
  kind: ProxyTokenKind,
  granted: ProxyPass,
  now: Date,
  expiresAtSecs: number,
): Promise<string> {
  const { id, userId, ...pass } = granted;
  return new SignJWT({ pass })
    .setProtectedHeader({ alg: algorithm, typ: mediaTypeOf(kind) })
    .setAudience(`http-proxy-${kind}`)
    .setSubject(userId)
    .setJti(id)
    .setIssuedAt(now)
    .setExpirationTime(expiresAtSecs)
    .sign(key);
}

/** Reads a token of this kind; undefined for whatever this hub did not sign as one. */
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
    return { kind, isOutdated: false, pass: passOf(payload) };
  } catch (error) {
    // The signature is checked before the times are.
    if (error instanceof errors.JWTExpired) return { kind, isOutdated: true, pass: passOf(error.payload) };
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/** Tells whether a text is meant to be a token of this kind, whoever signed it: such a text is nobody else's business. */
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

function passOf({ sub, jti, pass: claims }: JWTPayload): ProxyPass {
  return pass.parse({ ...(claims as object), id: jti, userId: sub });
}
