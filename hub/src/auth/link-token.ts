import { errors, jwtVerify, SignJWT } from 'jose';

const algorithm = 'HS256';
const foreverSecs = 100 * 365 * 86_400;

/** How long the links of each purpose work, in seconds; none is valid for another purpose. */
export const linkValidForSecs = {
  activation: 86_400,
  password: 86_400,
  invitation: 14 * 86_400,
  unsubscription: 365 * 86_400,
} as const;

type LinkPurpose = keyof typeof linkValidForSecs;

/** The content of the token of an e-mailed link. */
interface LinkToken {
  /** The raw id of the registration, the invitation or the password link, or of an alert rule and a user. */
  readonly id: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** Signs the token of an e-mailed link, a JWT. */
export function signLinkToken(key: Buffer, purpose: LinkPurpose, token: LinkToken): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: algorithm, typ: `${purpose}+jwt` })
    .setAudience(purpose)
    .setJti(token.id)
    .setIssuedAt(token.issuedAt)
    .setExpirationTime(token.expiresAt)
    .sign(key);
}

/** The raw id in a token; undefined unless this hub signed it for that purpose, and it has not expired or may have. */
export async function readLinkToken(
  key: Buffer,
  purpose: LinkPurpose,
  token: string,
  now: Date,
  mayBeOld = false,
): Promise<string | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [algorithm],
      audience: purpose,
      typ: `${purpose}+jwt`,
      currentDate: now,
      maxTokenAge: linkValidForSecs[purpose],
      clockTolerance: mayBeOld ? foreverSecs : 0,
      requiredClaims: ['jti', 'iat', 'exp'],
    });
    return payload.jti;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
