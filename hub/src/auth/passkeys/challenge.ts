import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** What the answer to a challenge is good for. */
export interface ChallengeUse {
  readonly purpose: 'registration' | 'signIn' | 'factor' | 'stepUp';
  /** Whose: the raw id of the user, of the sign-in that waits, or of the session; empty while nobody is known. */
  readonly subject: string;
}

const validMs = 5 * 60_000;
const nonceBytes = 16;
const headBytes = nonceBytes + 8;

/** Makes a challenge that says itself, by a key of the instance, what it is good for: nothing is kept of those that nobody answers. */
export function newChallenge(key: Buffer, use: ChallengeUse, now: Date): string {
  const head = Buffer.alloc(headBytes);
  randomBytes(nonceBytes).copy(head);
  head.writeBigUInt64BE(BigInt(now.getTime() + validMs), nonceBytes);
  return Buffer.concat([head, macOf(key, use, head)]).toString('base64url');
}

/** Until when a challenge is good for this use; undefined if it is not. */
export function challengeExpiry(
  key: Buffer,
  use: ChallengeUse,
  challenge: string,
  now: Date,
): Date | undefined {
  const bytes = Buffer.from(challenge, 'base64url');
  const mac = macOf(key, use, bytes.subarray(0, headBytes));
  if (bytes.length !== headBytes + mac.length || bytes.toString('base64url') !== challenge) return undefined;
  if (!timingSafeEqual(bytes.subarray(headBytes), mac)) return undefined;
  const expiresAt = new Date(Number(bytes.readBigUInt64BE(nonceBytes)));
  return expiresAt > now ? expiresAt : undefined;
}

function macOf(key: Buffer, { purpose, subject }: ChallengeUse, head: Buffer): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify([purpose, subject, head.toString('base64url')]))
    .digest();
}
