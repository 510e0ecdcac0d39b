import { expect } from 'vitest';
import type { AssetStorage } from '../src/domains/assets/storage/asset-storage.ts';
import { storageKey } from '../src/domains/assets/storage/storage-key.ts';
import { collect, inPieces, sampleContent, unaborted, type SampleContent } from './stored-bytes.ts';

const keyOf = ({ digest }: SampleContent): string => storageKey('', 'r1', digest);

/** What every store guarantees; each rule is checked on an empty store. */
export const storageRules: Readonly<Record<string, (storage: AssetStorage) => Promise<void>>> = {
  'stores, describes, reads, lists and deletes an object': async (storage) => {
    for (const sizeBytes of [0, 1, 65_536, 65_537, 1_048_576, 1_048_577, 3_000_000]) {
      const content = sampleContent(sizeBytes);
      const key = keyOf(content);
      const stored = await storage.write(key, inPieces(content.bytes), content, unaborted());
      expect(stored.chunkDigests).toEqual(content.chunkDigests);
      expect(await storage.stat(key)).toMatchObject({ sizeBytes });
      expect((await collect(await storage.read(key))).equals(content.bytes)).toBe(true);
      expect((await storage.list()).map((object) => [object.key, object.sizeBytes])).toEqual([
        [key, sizeBytes],
      ]);
      await storage.delete(key);
      await storage.delete(key);
      expect(await storage.stat(key)).toBeUndefined();
      expect(await storage.list()).toEqual([]);
    }
  },
  'reads a part of an object': async (storage) => {
    const content = sampleContent(300_000);
    const key = keyOf(content);
    await storage.write(key, inPieces(content.bytes), content, unaborted());
    for (const [start, end] of [
      [0, 0],
      [1, 200_000],
      [299_999, 299_999],
    ] as const) {
      const part = await collect(await storage.read(key, { start, end }));
      expect(part.equals(content.bytes.subarray(start, end + 1))).toBe(true);
    }
  },
  'keeps nothing of wrong, too few or too many bytes, or of a source that fails': async (storage) => {
    for (const sizeBytes of [10, 200_000]) {
      const content = sampleContent(sizeBytes);
      const key = keyOf(content);
      const write = (bytes: AsyncIterable<Uint8Array>) => storage.write(key, bytes, content, unaborted());
      const wrong = Buffer.from(content.bytes);
      wrong[sizeBytes - 1] = (wrong[sizeBytes - 1] ?? 0) ^ 1;
      await expect(write(inPieces(wrong))).rejects.toMatchObject({ fault: 'DigestMismatch' });
      await expect(write(inPieces(content.bytes.subarray(1)))).rejects.toMatchObject({
        fault: 'SizeMismatch',
      });
      let extraPieces = 0;
      async function* longer() {
        yield* inPieces(content.bytes);
        for (; ; extraPieces += 1) yield Buffer.alloc(10);
      }
      await expect(write(longer())).rejects.toMatchObject({ fault: 'SizeMismatch' });
      expect(extraPieces).toBeLessThan(2);
      const failure = new Error('the client went away');
      async function* cut() {
        yield content.bytes.subarray(0, 5);
        throw failure;
      }
      await expect(write(cut())).rejects.toBe(failure);
      expect(await storage.stat(key)).toBeUndefined();
      expect(await storage.list()).toEqual([]);
    }
  },
  'rejects with the reason of an abort, also while it waits for bytes': async (storage) => {
    const content = sampleContent(100_000);
    const ending = new AbortController();
    async function* stalling() {
      yield content.bytes.subarray(0, 70_000);
      ending.abort(new Error('enough'));
      await new Promise(() => undefined);
    }
    const options = unaborted({ signal: ending.signal });
    await expect(storage.write(keyOf(content), stalling(), content, options)).rejects.toThrow('enough');
    expect(await storage.stat(keyOf(content))).toBeUndefined();
  },
  'an object that is there stays, and twenty equal writes at once succeed': async (storage) => {
    const content = sampleContent(150_000);
    const key = keyOf(content);
    const writes = Array.from({ length: 20 }, () =>
      storage.write(key, inPieces(content.bytes), content, unaborted()),
    );
    for (const stored of await Promise.all(writes)) expect(stored.chunkDigests).toEqual(content.chunkDigests);
    expect((await collect(await storage.read(key))).equals(content.bytes)).toBe(true);
    await storage.write(key, inPieces(content.bytes), content, unaborted({ replaces: true }));
    expect((await collect(await storage.read(key))).equals(content.bytes)).toBe(true);
  },
  'says that an object is missing': async (storage) => {
    const read = async () => collect(await storage.read(keyOf(sampleContent(3))));
    await expect(read()).rejects.toMatchObject({ name: 'StorageError', fault: 'Missing' });
  },
  'lists in the order of keys, page by page': async (storage) => {
    const contents = Array.from({ length: 12 }, (_, index) => sampleContent(index + 1));
    const keys = contents.map(({ digest }, index) => storageKey('', `r${index % 3}`, digest));
    for (const [index, content] of contents.entries())
      await storage.write(keys[index]!, inPieces(content.bytes), content, unaborted());
    const sorted = keys.toSorted();
    expect((await storage.list()).map(({ key }) => key)).toEqual(sorted);
    expect((await storage.list(sorted[4])).map(({ key }) => key)).toEqual(sorted.slice(5));
    expect(await storage.list(sorted.at(-1))).toEqual([]);
  },
};
