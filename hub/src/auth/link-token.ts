import { errors, jwtVerify, SignJWT } from 'jose';

const algorithm = 'HS256';
const foreverSecs = 100 * 365 * 86_400;

/** The content of the token of an e-mailed link. */
export interface LinkToken {
  /** The raw id of the registration, the invitation or the password link. */
  readonly id: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** Signs the token of an e-mailed link: a JWT that is valid for one purpose only. */
export function signLinkToken(key: Buffer, purpose: string, token: LinkToken): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: algorithm, typ: `${purpose}+jwt` })
    .setAudience(purpose)
    .setJti(token.id)
    .setIssuedAt(token.issuedAt)
    .setExpirationTime(token.expiresAt)
    .sign(key);
}

interface Verification {
  readonly purpose: string;
  readonly token: string;
  readonly validForSecs: number;
  readonly now: Date;
  /** Whether it may have expired, such as to say what became of it. */
  readonly mayBeOld?: boolean;
}

/** The raw id in a token; undefined unless this hub signed it for that purpose, and it has not expired or may have. */
export async function readLinkToken(
  key: Buffer,
  { purpose, token, validForSecs, now, mayBeOld = false }: Verification,
): Promise<string | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [algorithm],
      audience: purpose,
      typ: `${purpose}+jwt`,
      currentDate: now,
      maxTokenAge: validForSecs,
      clockTolerance: mayBeOld ? foreverSecs : 0,
      requiredClaims: ['jti', 'iat', 'exp'],
    });
    return payload.jti;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
