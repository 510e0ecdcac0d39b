import { errors, jwtVerify, SignJWT } from 'jose';

const algorithm = 'HS256';
const audience = 'activation';
const mediaType = 'activation+jwt';

/** For how long a link that activates an account is good, in seconds. */
export const activationValidForSecs = 24 * 3600;

interface Activation {
  /** The raw id of the registration that the token confirms. */
  readonly registrationId: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** Signs the token inside the link that activates an account: a JWT for this purpose alone. */
export function signActivationToken(key: Buffer, activation: Activation): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: algorithm, typ: mediaType })
    .setAudience(audience)
    .setJti(activation.registrationId)
    .setIssuedAt(activation.issuedAt)
    .setExpirationTime(activation.expiresAt)
    .sign(key);
}

/** The raw id of the registration that a token confirms; undefined for whatever this hub did not sign for it, or no longer stands by. */
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
