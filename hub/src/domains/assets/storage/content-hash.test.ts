import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { AssetStorage } from './asset-storage.ts';
import { chunkBytes, ContentHash, hashContent, mustMatch } from './content-hash.ts';
import { storageKey } from './storage-key.ts';

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

function patterned(sizeBytes: number): Buffer {
  const bytes = Buffer.alloc(sizeBytes);
  for (let at = 0; at + 4 <= sizeBytes; at += 4) bytes.writeUInt32LE(at, at);
  return bytes;
}

test('hashes the whole and each MiB, however the bytes are cut', async () => {
  for (const sizeBytes of [0, 1, chunkBytes - 1, chunkBytes, chunkBytes + 1, 3 * chunkBytes, 3_500_000]) {
    const bytes = patterned(sizeBytes);
    const chunks = Array.from({ length: Math.ceil(sizeBytes / chunkBytes) }, (_, index) =>
      sha256(bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes)),
    );
    for (const pieceBytes of [65_521, chunkBytes, 2 * chunkBytes + 7, 10_000_000]) {
      const hash = new ContentHash();
      for (let at = 0; at < sizeBytes; at += pieceBytes) hash.update(bytes.subarray(at, at + pieceBytes));
      expect(hash.finish()).toEqual({
        sizeBytes,
        digest: sha256(bytes),
        chunkDigests: Buffer.concat(chunks),
      });
    }
  }
});

test('stops at the first byte too many, and names both values of a difference', async () => {
  let pulled = 0;
  async function* endless() {
    for (;;) {
      pulled += 1;
      yield Buffer.alloc(10);
    }
  }
  await expect(hashContent(endless(), 25)).rejects.toMatchObject({ fault: 'SizeMismatch' });
  expect(pulled).toBe(3);
  const content = { sizeBytes: 1, digest: sha256(Buffer.from('a')) };
  expect(() => mustMatch(content, content)).not.toThrow();
  expect(() => mustMatch(content, { ...content, sizeBytes: 2 })).toThrow(
    'There are 1 bytes instead of the announced 2.',
  );
  expect(() => mustMatch(content, { ...content, digest: sha256(Buffer.from('b')) })).toThrow(
    /sha256_ca978112.* instead of the announced sha256_3e23e816/,
  );
});

test('a key is made of repository and digest', () => {
  const digest = Buffer.from('ab'.repeat(32), 'hex');
  const name: Parameters<AssetStorage['stat']>[0] = `r1/sha256/ab/ab/${'ab'.repeat(32)}`;
  expect(storageKey('', 'r1', digest)).toBe(name);
  expect(storageKey('/a/b/', 'r1', digest)).toBe(`a/b/${name}`);
});
