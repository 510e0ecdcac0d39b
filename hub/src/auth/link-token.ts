import { errors, jwtVerify, SignJWT } from 'jose';

const algorithm = 'HS256';

/** What the token of an e-mailed link is about. */
export interface LinkToken {
  /** The raw id of the registration or the invitation. */
  readonly id: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** Signs the token of an e-mailed link: a JWT that serves no other purpose. */
export function signLinkToken(key: Buffer, purpose: string, token: LinkToken): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: algorithm, typ: `${purpose}+jwt` })
    .setAudience(purpose)
    .setJti(token.id)
    .setIssuedAt(token.issuedAt)
    .setExpirationTime(token.expiresAt)
    .sign(key);
}

interface Reading {
  readonly purpose: string;
  readonly token: string;
  readonly validForSecs: number;
  readonly now: Date;
}

/** The raw id that a token is about; undefined unless this hub signed it for that purpose and it has not expired. */
export async function readLinkToken(
  key: Buffer,
  { purpose, token, validForSecs, now }: Reading,
): Promise<string | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [algorithm],
      audience: purpose,
      typ: `${purpose}+jwt`,
      currentDate: now,
      maxTokenAge: validForSecs,
      requiredClaims: ['jti', 'iat', 'exp'],
    });
    return payload.jti;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
