import { createHash } from 'node:crypto';
import { createRemoteJWKSet, customFetch, decodeJwt, errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { CiTokenRefused, type CiClaims } from './CiTokenRefused.ts';

/** What a valid ID token says, and by what it is recognised when it comes again. */
export interface CiToken {
  readonly issuer: string;
  readonly claims: CiClaims;
  /** A digest, so that it has a bounded length. */
  readonly replayKey: Buffer;
  /** Until when the token could be sent again. */
  readonly expiresAt: Date;
}

/** The CIs whose jobs may publish. */
export interface CiIssuers {
  /** Those that the administrator of the instance allows. */
  list(): readonly string[];
  /** Checks an ID token for an audience. Rejects with CiTokenRefused. */
  verify(token: string, audience: string, now: Date): Promise<CiToken>;
}

interface Parts {
  readonly list: () => readonly string[];
  /** The guarded one of the hub: bounded, without redirects. */
  readonly fetch: (url: string, init: { method: string; signal?: AbortSignal }) => Promise<Response>;
}

/** Of asymmetric keys only: with a secret, whoever checks a token could make one. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** How far the clock of a CI may differ from that of the hub. */
const skewSecs = 60;
/** What is good for longer would have to be remembered for longer. */
const longestValiditySecs = 24 * 3600;
const longestText = 200;
/** How long an issuer that could not be asked is left alone. */
const askedAgainAfterMs = 5_000;

/** Opens the issuers; each is first asked when a token of it arrives, and one that is not listed never. */
export function openCiIssuers({ list, fetch }: Parts): CiIssuers {
  const keys = new Map<string, Promise<JWTVerifyGetKey>>();
  const failures = new Map<string, { readonly untilMs: number; readonly error: CiTokenRefused }>();
  const keysOf = (issuer: string): Promise<JWTVerifyGetKey> => {
    const known = keys.get(issuer);
    if (known !== undefined) return known;
    const found = discover(issuer, fetch);
    // Also forgets those that left the list.
    for (const other of keys.keys()) if (!list().includes(other)) keys.delete(other);
    keys.set(issuer, found);
    found.catch(() => keys.delete(issuer));
    return found;
  };
  return {
    list,
    async verify(token, audience, now) {
      const issuer = issuerOf(token);
      if (!list().includes(issuer))
        throw new CiTokenRefused(`The administrator of the hub does not allow the issuer ${shown(issuer)}.`);
      const failure = failures.get(issuer);
      if (failure !== undefined && now.getTime() < failure.untilMs) throw failure.error;
      const claims = await signedClaims(token, issuer, () => keysOf(issuer), now).catch((error: unknown) => {
        // Where its keys are may have changed.
        if (error instanceof CiTokenRefused && error.isUnreachable) {
          keys.delete(issuer);
          failures.set(issuer, { untilMs: now.getTime() + askedAgainAfterMs, error });
        }
        throw error;
      });
      mustBeFor(audience, claims);
      const expiresAtSecs = mustBeCurrent(claims, now);
      const id = claims['jti'];
      // Of a token without an id the signed part, since a signature may have several forms.
      const replayed = typeof id === 'string' && id !== '' ? id : token.slice(0, token.lastIndexOf('.'));
      const replayKey = createHash('sha256')
        .update(JSON.stringify([issuer, replayed]))
        .digest();
      return { issuer, claims, replayKey, expiresAt: new Date((expiresAtSecs + skewSecs) * 1000) };
    },
  };
}

/** What a token says of its issuer, before anything is known about it. */
function issuerOf(token: string): string {
  try {
    return decodeJwt(token).iss ?? '';
  } catch (cause) {
    throw new CiTokenRefused('What was sent is no ID token.', { cause });
  }
}

async function discover(issuer: string, fetch: Parts['fetch']): Promise<JWTVerifyGetKey> {
  const response = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
    method: 'GET',
  });
  const found = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown };
  if (!response.ok || found.issuer !== issuer || typeof found.jwks_uri !== 'string')
    throw new Error('The issuer describes another one.');
  return createRemoteJWKSet(new URL(found.jwks_uri), {
    [customFetch]: (url, { method, signal }) => fetch(url, { method, signal }),
  });
}

async function signedClaims(
  token: string,
  issuer: string,
  keysOf: () => Promise<JWTVerifyGetKey>,
  now: Date,
): Promise<CiClaims> {
  try {
    const getKey: JWTVerifyGetKey = async (header, jws) => (await keysOf())(header, jws);
    const options = { algorithms, issuer, clockTolerance: skewSecs, currentDate: now };
    return (await jwtVerify(token, getKey, options)).payload;
  } catch (cause) {
    throw refusalOf(cause);
  }
}

/** The times are compared once the signature was found right. */
function refusalOf(cause: unknown): CiTokenRefused {
  if (cause instanceof errors.JWTExpired || cause instanceof errors.JWTClaimValidationFailed) {
    const what = cause instanceof errors.JWTExpired ? 'has expired' : `has a wrong ${cause.claim}`;
    return new CiTokenRefused(`The token ${what}.`, { claims: cause.payload, cause });
  }
  if (cause instanceof errors.JWKSNoMatchingKey)
    return new CiTokenRefused('The issuer has no key with the id that the token names.', { cause });
  if (isOfToken(cause))
    return new CiTokenRefused('The token is not signed by a key of its issuer.', { cause });
  return new CiTokenRefused('The keys of the issuer could not be read.', { isUnreachable: true, cause });
}

const isOfToken = (cause: unknown): boolean =>
  cause instanceof errors.JWSSignatureVerificationFailed ||
  cause instanceof errors.JWSInvalid ||
  cause instanceof errors.JWTInvalid ||
  cause instanceof errors.JOSEAlgNotAllowed ||
  cause instanceof errors.JOSENotSupported ||
  cause instanceof errors.JWKSMultipleMatchingKeys;

/** A token for several could be sent on by each of them. */
function mustBeFor(audience: string, claims: CiClaims): void {
  const named = [claims['aud']].flat();
  if (named.length === 1 && named[0] === audience) return;
  const names = named.map(shown).join(', ') || 'nobody';
  throw new CiTokenRefused(`The token is for ${names}, not for ${audience}.`, { claims });
}

/** When the token expires, in seconds. */
function mustBeCurrent(claims: CiClaims, now: Date): number {
  const [expiresAt, issuedAt] = [claims['exp'], claims['iat']];
  const nowSecs = now.getTime() / 1000;
  if (typeof expiresAt !== 'number' || typeof issuedAt !== 'number')
    throw new CiTokenRefused('The token does not say when it was issued and when it expires.', { claims });
  if (issuedAt > nowSecs + skewSecs)
    throw new CiTokenRefused('The token was issued in the future: the clocks differ.', { claims });
  if (expiresAt > nowSecs + longestValiditySecs)
    throw new CiTokenRefused('The token is good for more than a day.', { claims });
  return expiresAt;
}

/** A text of an outsider, short and without control characters. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.replace(/\p{C}/gu, '').slice(0, longestText);
}
