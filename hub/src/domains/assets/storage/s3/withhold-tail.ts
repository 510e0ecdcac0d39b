import type { ExpectedContent } from '../asset-storage.ts';
import { mustMatch, type ContentHash, type HashedContent } from '../content-hash.ts';

const tailBytes = 65_536;

/**
 * The same bytes, but the last 64 KiB come only once all of them have the expected digest; otherwise it throws. A store discards an upload
 * that is shorter than announced, so it never gets wrong bytes in full, even if it checks nothing itself.
 */
export async function* withholdTail(
  bytes: AsyncIterable<Uint8Array>,
  expected: ExpectedContent,
  hash: ContentHash,
  onVerified: (content: HashedContent) => void,
): AsyncGenerator<Uint8Array, void> {
  const freeBytes = Math.max(0, expected.sizeBytes - tailBytes);
  const held: Uint8Array[] = [];
  for await (const piece of bytes) {
    const free = Math.max(0, Math.min(piece.length, freeBytes - hash.sizeBytes));
    if (hash.sizeBytes + piece.length > expected.sizeBytes)
      mustMatch({ ...expected, sizeBytes: hash.sizeBytes + piece.length }, expected);
    hash.update(piece);
    if (free > 0) yield piece.subarray(0, free);
    if (free < piece.length) held.push(piece.subarray(free));
  }
  const content = hash.finish();
  mustMatch(content, expected);
  onVerified(content);
  yield* held;
}
