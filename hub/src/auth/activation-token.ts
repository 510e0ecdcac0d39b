import { readLinkToken, signLinkToken } from './link-token.ts';

const purpose = 'activation';

/** Lifetime of an activation link, in seconds. */
export const activationValidForSecs = 24 * 3600;

interface Activation {
  /** The raw id of the registration that the token confirms. */
  readonly registrationId: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** Signs the token of an activation link. */
export function signActivationToken(key: Buffer, { registrationId, ...dates }: Activation): Promise<string> {
  return signLinkToken(key, purpose, { id: registrationId, ...dates });
}

/** The raw id of the registration that a token confirms; undefined unless this hub signed it for that purpose, and it has not expired or may have. */
export function readActivationToken(
  key: Buffer,
  token: string,
  now: Date,
  mayBeOld = false,
): Promise<string | undefined> {
  return readLinkToken(key, { purpose, token, validForSecs: activationValidForSecs, now, mayBeOld });
}
