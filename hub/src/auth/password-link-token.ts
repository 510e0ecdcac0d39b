import { errors, jwtVerify, SignJWT } from 'jose';

const algorithm = 'HS256';
const audience = 'password';
const mediaType = 'password+jwt';

/** Lifetime of a link to set a password, in seconds. */
export const passwordLinkValidForSecs = 24 * 3600;

interface LinkToken {
  /** The raw id of the link. */
  readonly linkId: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** Signs the token of a link to set a password: a JWT that serves no other purpose. */
export function signPasswordLinkToken(
  key: Buffer,
  { linkId, issuedAt, expiresAt }: LinkToken,
): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: algorithm, typ: mediaType })
    .setAudience(audience)
    .setJti(linkId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(key);
}

/** The raw id of the link of a token; undefined unless this hub signed it for that purpose and it has not expired. */
export async function readPasswordLinkToken(
  key: Buffer,
  token: string,
  now: Date,
): Promise<string | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [algorithm],
      audience,
      typ: mediaType,
      currentDate: now,
      maxTokenAge: passwordLinkValidForSecs,
      requiredClaims: ['jti', 'iat', 'exp'],
    });
    return payload.jti;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
