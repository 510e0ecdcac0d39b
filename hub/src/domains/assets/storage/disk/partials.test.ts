import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { collect, inPieces, sampleContent, sha256, unaborted } from '../../../../../test/stored-bytes.ts';
import { storageKey } from '../storage-key.ts';
import { createDiskStorage, type DiskStorage } from './disk-storage.ts';

async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'corral-partials-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const content = sampleContent(3_000_000);
const key = storageKey('', 'r1', content.digest);

function part(start: number, end: number, more: { digest?: Buffer; bytes?: AsyncIterable<Uint8Array> } = {}) {
  const bytes = inPieces(content.bytes.subarray(start, end));
  return { bytes, offset: start, maxBytes: content.sizeBytes, ...unaborted(), ...more };
}

/** The ids and sizes of all uploads. */
async function keptOf({ partials }: Pick<DiskStorage, 'partials'>): Promise<[string, number][]> {
  const kept: [string, number][] = [];
  for await (const { key: uploadId, sizeBytes } of partials.list()) kept.push([uploadId, sizeBytes]);
  return kept;
}

test('an upload goes on where it ended, also after a restart and after a source that failed', async () => {
  const folder = await freshFolder();
  const first = createDiskStorage(folder);
  expect(await first.partials.sizeOf('u1')).toBe(0);
  expect(await first.partials.append('u1', part(0, 1_000_000))).toBe(1_000_000);
  async function* cut() {
    yield content.bytes.subarray(1_000_000, 1_500_000);
    throw new Error('the connection was cut');
  }
  const broken = part(1_000_000, 3_000_000, { bytes: cut() });
  await expect(first.partials.append('u1', broken)).rejects.toThrow('the connection was cut');
  expect(await first.partials.sizeOf('u1')).toBe(1_500_000);
  await expect(first.partials.append('u1', part(1_000_000, 2_000_000))).rejects.toThrow(
    'The upload has 1500000 bytes, so it goes on there and not at 1000000.',
  );
  const again = createDiskStorage(folder);
  expect(await again.partials.append('u1', part(1_500_000, 2_000_000))).toBe(2_000_000);
  const target = { storage: again, key, ...unaborted() };
  await expect(again.partials.commit('u1', content, target)).rejects.toMatchObject({ fault: 'SizeMismatch' });
  expect(await again.partials.append('u1', part(2_000_000, 3_000_000))).toBe(3_000_000);
  expect(await again.partials.commit('u1', content, target)).toMatchObject({
    chunkDigests: content.chunkDigests,
  });
  expect((await collect(await again.read(key))).equals(content.bytes)).toBe(true);
  expect(await keptOf(again)).toEqual([]);
});

test('a part with a wrong digest, or with too many bytes, is cut off again', async () => {
  const { partials } = createDiskStorage(await freshFolder());
  await partials.append('u1', part(0, 500_000, { digest: sha256(content.bytes.subarray(0, 500_000)) }));
  const wrong = part(500_000, 900_000, { digest: sha256(Buffer.from('other')) });
  await expect(partials.append('u1', wrong)).rejects.toMatchObject({ fault: 'DigestMismatch' });
  const tooLong = part(500_000, 900_000, { bytes: inPieces(Buffer.alloc(2_600_000)) });
  await expect(partials.append('u1', tooLong)).rejects.toMatchObject({ fault: 'SizeMismatch' });
  expect(await partials.sizeOf('u1')).toBe(500_000);
  expect(await keptOf({ partials })).toEqual([['u1', 500_000]]);
});

test('an upload whose digest is wrong is discarded; an empty one is stored; another storage gets a copy', async () => {
  const folder = await freshFolder();
  const storage = createDiskStorage(folder);
  const other = createDiskStorage(await freshFolder());
  await storage.partials.append('u1', part(0, content.sizeBytes));
  await writeFile(join(folder, 'partials/u2'), Buffer.alloc(content.sizeBytes));
  const target = { storage: other, key, ...unaborted() };
  await expect(storage.partials.commit('u2', content, target)).rejects.toMatchObject({
    fault: 'DigestMismatch',
  });
  expect(await storage.partials.sizeOf('u2')).toBe(0);
  await storage.partials.commit('u1', content, target);
  expect((await collect(await other.read(key))).equals(content.bytes)).toBe(true);
  const empty = sampleContent(0);
  const emptyKey = storageKey('', 'r1', empty.digest);
  await storage.partials.commit('u3', empty, { ...target, storage, key: emptyKey });
  expect(await storage.stat(emptyKey)).toEqual({ sizeBytes: 0 });
  expect(await readdir(join(folder, 'partials'))).toEqual([]);
});
