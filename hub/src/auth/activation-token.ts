import { errors, jwtVerify, SignJWT } from 'jose';

const algorithm = 'HS256';
const audience = 'activation';
const mediaType = 'activation+jwt';

/** Lifetime of an activation link, in seconds. */
export const activationValidForSecs = 24 * 3600;

interface Activation {
  /** The raw id of the registration that the token confirms. */
  readonly registrationId: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** Signs the token of an activation link: a JWT that serves no other purpose. */
export function signActivationToken(key: Buffer, activation: Activation): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: algorithm, typ: mediaType })
    .setAudience(audience)
    .setJti(activation.registrationId)
    .setIssuedAt(activation.issuedAt)
    .setExpirationTime(activation.expiresAt)
    .sign(key);
}

/** The raw id of the registration that a token confirms; undefined unless this hub signed it for that purpose and it has not expired. */
export async function readActivationToken(
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
      maxTokenAge: activationValidForSecs,
      requiredClaims: ['jti', 'iat', 'exp'],
    });
    return payload.jti;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
