import { createHmac, timingSafeEqual } from 'node:crypto';

/** The purpose of the instance key that signs these URLs. */
export const recordingUrlKeyPurpose = 'recording-urls';

/** Who may read which recording until when: a user in one login session or by one user token; ids of users, sessions and tokens are raw. */
export interface RecordingGrant {
  readonly sessionId: string;
  readonly reader: {
    readonly userId: string;
    readonly loginSessionId: string | undefined;
    readonly tokenId: string | undefined;
  };
  readonly expiresAtSecs: number;
}

/** The path and query of a URL that gives its reader the recording of a terminal. */
export function signRecordingPath(key: Buffer, grant: RecordingGrant): string {
  const signature = signatureOf(key, grant).toString('base64url');
  const query = new URLSearchParams({ expires: String(grant.expiresAtSecs), signature });
  return `/api/v1/recordings/${grant.sessionId}.cast?${query.toString()}`;
}

/** Whether this hub has signed the URL for this reader, and it has not expired. */
export function isRecordingUrl(key: Buffer, grant: RecordingGrant, signature: string, now: Date): boolean {
  const presented = Buffer.from(signature, 'base64url');
  const expected = signatureOf(key, grant);
  const isSigned = presented.length === expected.length && timingSafeEqual(presented, expected);
  return isSigned && grant.expiresAtSecs * 1000 > now.getTime();
}

function signatureOf(key: Buffer, { sessionId, reader, expiresAtSecs }: RecordingGrant): Buffer {
  const { userId, loginSessionId = null, tokenId = null } = reader;
  return createHmac('sha256', key)
    .update(JSON.stringify([sessionId, userId, loginSessionId, tokenId, expiresAtSecs]))
    .digest();
}
