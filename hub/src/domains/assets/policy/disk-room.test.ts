import { mkdtempSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ids, type Id } from '@corral/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { seedRepository, type SeededRepository } from '../../../../test/seed-repository.ts';
import { storagesOf } from '../../../../test/test-storages.ts';
import { createDiskStorage } from '../storage/disk/disk-storage.ts';

const freeBytes = 1_000_000;
const folder = mkdtempSync(join(tmpdir(), 'corral-room-'));
const real = createDiskStorage(folder);
/** A disk on which as much is free as the tests want. */
const disk = { ...real, room: { ...real.room, freeBytes: async () => freeBytes } };

let hub: FreshExecutor;
let [one, other] = [] as unknown as [SeededRepository, SeededRepository];
beforeAll(async () => void (hub = await freshExecutor({ storages: (db) => storagesOf(db, { disk }) })));
beforeEach(async () => {
  hub.advance(3600);
  [one, other] = [await seedRepository(hub), await seedRepository(hub)];
});
afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const newDigest = () => `sha256_${randomBytes(32).toString('hex')}`;

async function announce({ repositoryId, owner }: SeededRepository, size: number, digest = newDigest()) {
  return (await hub.as(owner, 'repositories_CreateAsset', { repositoryId, size, digest })).assetId;
}

const refused = /^The hub has not enough room on its disk for \d+ bytes; free some, or set an object store/;

async function* firstByte() {
  yield Buffer.from('x');
}

/** Starts an upload, which then pauses after its first byte. */
const begin = (assetId: Id<'asset'>) =>
  real.partials.append(ids.asset.raw(assetId), {
    bytes: firstByte(),
    offset: 0,
    maxBytes: freeBytes,
    signal: new AbortController().signal,
  });

test('a user who announces all free bytes again and again keeps nobody else from uploading', async () => {
  const digest = newDigest();
  await announce(one, freeBytes, digest);
  await announce(other, 1000);
  hub.advance(540);
  await announce(one, freeBytes, digest);
  await announce(other, 1000);
  hub.advance(60);
  await announce(other, freeBytes - 2000);
});

test('one of two uploads that are announced at once and need more than half of the disk is refused for a moment', async () => {
  const large = 0.6 * freeBytes;
  const outcomes = await Promise.allSettled([announce(one, large), announce(other, large)]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  hub.advance(31);
  await announce(other, large);
});

test('uploads to the same repository must fit together, those that were just announced and those under way', async () => {
  const begun = await announce(one, 0.4 * freeBytes);
  await expect(announce(one, 0.7 * freeBytes)).rejects.toThrow(refused);
  await begin(begun);
  // What is known of files may be a second old.
  const isKnown = async () => (await real.begunBytes(hub.now())).has(ids.asset.raw(begun));
  await expect.poll(isKnown).toBe(true);
  hub.advance(31);
  await expect(announce(one, 0.7 * freeBytes)).rejects.toThrow(refused);
  await announce(one, 0.6 * freeBytes);
});

test('a user who begins uploads in many repositories leaves half of the disk to others', async () => {
  for (let count = 0; count < 4; count += 1)
    await begin(await announce(await seedRepository(hub), freeBytes / 2));
  await announce(other, freeBytes / 2);
});
