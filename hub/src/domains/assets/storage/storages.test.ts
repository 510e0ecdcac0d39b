import { expect, test } from 'vitest';
import { s3Double } from '../../../../test/s3-double/s3-double.ts';
import { createDiskStorage } from './disk/disk-storage.ts';
import { storageKey } from './storage-key.ts';
import { createStorages } from './storages.ts';

test('a store is read once in a few seconds, so that new keys are used and unknown stores are refused', async () => {
  await using store = await s3Double();
  let nowMs = 0;
  let reads = 0;
  let settings = { ...store.settings, secretAccessKey: 'replaced since' };
  const storages = createStorages({
    disk: createDiskStorage('/nowhere'),
    now: () => new Date(nowMs),
    ruleFor: () => () => undefined,
    readStore: (storeId) => {
      reads += 1;
      return Promise.resolve(storeId === 's1' ? { settings, owner: 'repository' } : undefined);
    },
  });
  const stat = async () => (await storages.of('s1')).stat('a/b');
  await expect(stat()).rejects.toMatchObject({ fault: 'Refused' });
  settings = store.settings as typeof settings;
  await expect(stat()).rejects.toMatchObject({ fault: 'Refused' });
  expect(reads).toBe(1);
  nowMs = 5_000;
  expect(await stat()).toBeUndefined();
  expect(reads).toBe(2);
  await expect(storages.of('s2')).rejects.toMatchObject({ fault: 'Missing' });
  expect(await storages.of(null)).toBe(storages.disk);
});

test('a key is made of prefix, repository and digest', () => {
  const hex = 'ab'.repeat(32);
  const keyIn = (prefix: string) => storageKey(prefix, 'r1', Buffer.from(hex, 'hex'));
  expect(keyIn('')).toBe(`r1/sha256/ab/ab/${hex}`);
  expect(keyIn('/a/b/')).toBe(`a/b/r1/sha256/ab/ab/${hex}`);
});
