import { createHash } from 'node:crypto';

/** The digest before the first part of a recording. */
export const firstDigest: Buffer = Buffer.alloc(32);

/** The digest of a part of a recording: of the digest before it and the part, as it was compressed. */
export function digestAfter(before: Buffer, part: Buffer): Buffer {
  return createHash('sha256').update(before).update(part).digest();
}

/** What a part is sealed for: it opens as no other. */
export function chunkPlace(sessionId: string, number: number): string {
  return `terminal_chunks/${sessionId}/${number}`;
}
