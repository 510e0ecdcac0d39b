import { readLinkToken, signLinkToken } from './link-token.ts';

const purpose = 'password';

/** Lifetime of a link to set a password, in seconds. */
export const passwordLinkValidForSecs = 24 * 3600;

interface PasswordLink {
  /** The raw id of the link. */
  readonly linkId: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** Signs the token of a link to set a password. */
export function signPasswordLinkToken(key: Buffer, { linkId, ...dates }: PasswordLink): Promise<string> {
  return signLinkToken(key, purpose, { id: linkId, ...dates });
}

/** The raw id of the link of a token; undefined unless this hub signed it for that purpose and it has not expired. */
export function readPasswordLinkToken(key: Buffer, token: string, now: Date): Promise<string | undefined> {
  return readLinkToken(key, { purpose, token, validForSecs: passwordLinkValidForSecs, now });
}
