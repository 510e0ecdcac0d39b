import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, open, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { storageRules } from '../../../../../test/storage-rules.ts';
import { collect, inPieces, sampleContent, unaborted } from '../../../../../test/stored-bytes.ts';
import { storageKey } from '../storage-key.ts';
import { createDiskStorage } from './disk-storage.ts';
import { receiveContent } from './receive-content.ts';

async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'corral-disk-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A file system of 32 MiB; only root may mount one. */
async function smallDisk(context: { skip(note: string): void }, options = ''): Promise<string> {
  const folder = await freshFolder();
  if (process.getuid?.() !== 0) context.skip('Only root can mount a small file system.');
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=32m${options}`, 'tmpfs', folder]);
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  return folder;
}

const keyOf = (digest: Buffer) => storageKey('', 'r1', digest);

describe('on disk', () => {
  for (const [rule, check] of Object.entries(storageRules))
    test(rule, async () => check(createDiskStorage(await freshFolder())));
});

test('leaves no temporary file behind, and replaces a file of another size', async () => {
  const folder = await freshFolder();
  const storage = createDiskStorage(folder);
  const content = sampleContent(100_000);
  const key = keyOf(content.digest);
  const write = (more = {}) => storage.write(key, inPieces(content.bytes), content, unaborted(more));
  await expect(storage.write(key, inPieces(Buffer.from('x')), content, unaborted())).rejects.toThrow();
  await write();
  await writeFile(join(folder, 'objects', key), 'cut off by a crash');
  await write();
  expect((await collect(await storage.read(key))).equals(content.bytes)).toBe(true);
  await writeFile(join(folder, 'objects', key), Buffer.alloc(100_000));
  await write({ replaces: true });
  expect((await collect(await storage.read(key))).equals(content.bytes)).toBe(true);
  expect(await readdir(join(folder, 'partials'))).toEqual([]);
});

test('writes and deletes of one folder do not disturb each other', async () => {
  const storage = createDiskStorage(await freshFolder());
  const content = sampleContent(10);
  const key = keyOf(content.digest);
  for (let round = 0; round < 100; round += 1) {
    const write = () => storage.write(key, inPieces(content.bytes), content, unaborted());
    await Promise.all([write(), storage.delete(key), write(), storage.delete(key)]);
  }
});

test('[needs root] writers at the same time leave the reserve free, and fill the rest', async (context) => {
  const folder = await smallDisk(context);
  const freeBytes = async (): Promise<number> => {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  };
  const mib = 1_048_576;
  const allBytes = await freeBytes();
  for (const [reserveBytes, leastBytes] of [
    [undefined, allBytes * 0.05],
    [10 * mib, 10 * mib],
    [0, 0],
  ] as const) {
    const { room } = createDiskStorage(folder, { reserveBytes });
    const { bytes } = sampleContent(6 * mib);
    const { signal } = new AbortController();
    const writes = Array.from({ length: 8 }, async (_, index) => {
      await using file = await open(join(folder, `written.${index}`), 'w');
      const reception = { room, offset: 0, maxBytes: bytes.length, hash: undefined, keepsPart: true };
      await receiveContent(file, { ...reception, bytes: inPieces(bytes), signal });
    });
    const faults = (await Promise.allSettled(writes)).flatMap((write) =>
      write.status === 'rejected' ? [(write.reason as { fault?: unknown }).fault] : [],
    );
    expect(new Set(faults)).toEqual(new Set(['Full']));
    expect(await freeBytes()).toBeGreaterThanOrEqual(leastBytes);
    // A writer may give up while the others still have their last MiB in flight.
    expect(await freeBytes()).toBeLessThan(leastBytes + 8 * mib);
    expect(await room.freeBytes()).toBe(Math.floor((await freeBytes()) - leastBytes));
    await Promise.all(writes.map((_, index) => rm(join(folder, `written.${index}`))));
  }
});

test('uploads under way are measured, both writes and resumable ones, and those that paused for long are not', async () => {
  const storage = createDiskStorage(await freshFolder());
  const now = new Date();
  expect(await storage.begunBytes(now)).toEqual(new Map());
  const content = sampleContent(300_000);
  const other = createDiskStorage(await freshFolder());
  const part = { bytes: inPieces(content.bytes), offset: 0, maxBytes: 1_000_000, ...unaborted() };
  await other.partials.append('u1', part);
  async function* held() {
    yield* inPieces(content.bytes.subarray(0, 262_144));
    await expect
      .poll(() => other.begunBytes(now))
      .toEqual(
        new Map([
          ['asset1', 262_144],
          ['u1', 300_000],
        ]),
      );
    yield content.bytes.subarray(262_144);
  }
  await other.write(keyOf(content.digest), held(), content, unaborted());
  const later = new Date(now.getTime() + 660_000);
  await expect.poll(() => other.begunBytes(later)).toEqual(new Map());
});

test('the largest of many uploads that were left behind are counted', async () => {
  const folder = await freshFolder();
  await mkdir(join(folder, 'partials'));
  await Promise.all(
    Array.from({ length: 900 }, (_, index) => writeFile(join(folder, 'partials', `u${index}`), 'x')),
  );
  await writeFile(join(folder, 'partials', 'large'), Buffer.alloc(1_000));
  const begun = await createDiskStorage(folder).begunBytes(new Date());
  expect([begun.size, begun.get('large')]).toEqual([256, 1_000]);
});

test('[needs root] exhausted inodes count as a full disk', async (context) => {
  const storage = createDiskStorage(await smallDisk(context, ',nr_inodes=20'));
  const content = sampleContent(10);
  const writes = async () => {
    for (let count = 0; count < 20; count += 1) {
      const key = storageKey('', `r${count}`, content.digest);
      await storage.write(key, inPieces(content.bytes), content, unaborted());
    }
  };
  await expect(writes()).rejects.toMatchObject({ fault: 'Full' });
});
