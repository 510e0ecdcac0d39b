import { createHmac, timingSafeEqual } from 'node:crypto';
import { ids, type Id } from '@corral/contract';

/** The purpose of the instance key that signs these URLs. */
export const recordingUrlKeyPurpose = 'recording-urls';

/** How long a URL is valid, in seconds. */
const validSecs = 300;

/** Who may read which recording. */
export interface RecordingGrant {
  readonly sessionId: Id<'terminal'>;
  readonly userId: Id<'user'>;
  readonly tokenId?: Id<'userTokenId'> | undefined;
}

/** The path and query of a URL that gives the recording of a terminal. */
export function signRecordingPath(key: Buffer, grant: RecordingGrant, now: Date): string {
  const expires = Math.floor(now.getTime() / 1000) + validSecs;
  const reader = [grant.userId, grant.tokenId ?? []].flat().join('.');
  const signature = signatureOf(key, grant.sessionId, reader, expires).toString('base64url');
  const query = new URLSearchParams({ expires: String(expires), reader, signature });
  return `/api/v1/recordings/${grant.sessionId}.cast?${query.toString()}`;
}

/** The grant of a URL; undefined where this hub has not signed it, or it has expired. */
export function readRecordingUrl(
  key: Buffer,
  sessionId: string,
  query: URLSearchParams,
  now: Date,
): RecordingGrant | undefined {
  const expires = Number(query.get('expires'));
  const reader = query.get('reader') ?? '';
  const presented = Buffer.from(query.get('signature') ?? '', 'base64url');
  const expected = signatureOf(key, sessionId, reader, expires);
  if (presented.length !== expected.length || !timingSafeEqual(presented, expected)) return undefined;
  if (!(expires * 1000 > now.getTime())) return undefined;
  const [userId, tokenId] = reader.split('.');
  return {
    sessionId: ids.terminal.schema.parse(sessionId),
    userId: ids.user.schema.parse(userId),
    ...(tokenId === undefined ? {} : { tokenId: ids.userTokenId.schema.parse(tokenId) }),
  };
}

function signatureOf(key: Buffer, sessionId: string, reader: string, expires: number): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify([sessionId, reader, expires]))
    .digest();
}
