import { createHash, randomBytes } from 'node:crypto';
import type { Id } from '@corral/contract';
import { expect, test } from 'vitest';
import { callUrl, fileOf, type TestFile } from '../../test/asset-scene.ts';
import type { Profile, S3Double } from '../../test/s3-double/s3-double.ts';
import { s3Server } from '../../test/s3-server.ts';
import { isOfAsset } from '../../test/store-lives.ts';
import { storagesOf } from '../../test/test-storages.ts';
import {
  append,
  begun,
  by,
  doubleOfTest,
  finalize,
  issue,
  mustBeServed,
  sendBytes,
  sendParts,
  sweep,
  twoHubs,
  type TwoHubs,
} from '../../test/two-hubs.ts';
import { uploadPartBytes } from '../assets/upload-parts.ts';
import { isUploadTail } from '../assets/upload-tails.ts';

/** Asks for the URL of the first part, and resolves with what puts other bytes there. */
async function replacementOf(both: TwoHubs, assetId: Id<'asset'>): Promise<() => Promise<void>> {
  const bytes = randomBytes(uploadPartBytes);
  const digest = `sha256_${createHash('sha256').update(bytes).digest('hex')}`;
  const [part] = (await issue(both, { assetId, parts: [{ number: 1, digest }] })).parts;
  const { url = '', headers = {} } = part ?? {};
  return async () => {
    expect((await callUrl(url, { method: 'PUT', headers, body: bytes })).status).toBe(200);
  };
}

/** Expects that nobody gets bytes of the asset, and that its store has nothing after a sweep; then that the right bytes are taken. */
async function mustBeginAgain(both: TwoHubs, assetId: Id<'asset'>, file: TestFile, url: string) {
  const { scene } = both;
  expect((await scene.details(assetId)).status).toBe('Dangling');
  const download = scene.hub.executor.invoke(by(scene), 'repositories_IssueAssetDownloadUrl', { assetId });
  await expect(download).rejects.toThrow('not been uploaded');
  await sweep(both, '2100-01-01');
  expect(await inStoresOf(both)).toEqual([]);
  expect(await append(url, file, 0, file.bytes.length)).toEqual([204, file.bytes.length]);
  await mustBeServed(scene, assetId, file);
}

/** The keys of objects and of unfinished uploads. */
async function inStoresOf({ scene: { hub } }: TwoHubs): Promise<string[]> {
  const system = { actor: { actor: 'System', kind: 'System' }, origin: {} } as const;
  const { stores } = await hub.executor.invoke(system, 'repositories_FindAssetStores', {});
  const storages = storagesOf(hub.database.db);
  const keys: string[] = [];
  for (const { storeId } of stores) {
    const { multipart, ...storage } = await storages.of(storeId);
    keys.push(...(await storage.list()).map(({ key }) => key));
    for await (const { key } of multipart?.unfinished() ?? []) keys.push(key);
  }
  return keys;
}

async function replaceBetweenRequests(both: TwoHubs): Promise<void> {
  const file = fileOf(uploadPartBytes + 1_000_000);
  const { assetId, urls } = await begun(both, file);
  const [url] = urls;
  const replace = await replacementOf(both, assetId);
  const most = file.bytes.length - 1000;
  expect(await append(url, file, 0, most)).toEqual([204, most]);
  await replace();
  const { status, bytes } = await sendBytes(url, file, most, file.bytes.length);
  expect(bytes.toString()).toMatch(/The bytes have the digest sha256_\w+ instead of the announced sha256_/);
  expect(status).toBe(422);
  await mustBeginAgain(both, assetId, file, url);
}

test('[needs Go] versitygw: a part replaced after the hub has hashed it is found', async (context) => {
  await replaceBetweenRequests(await twoHubs(await (await s3Server(context)).bucket()));
});

test.each<Partial<Profile>>([{}, { checksum: 'ignored', conditional: 'ignored', reportsChecksum: false }])(
  'a part replaced after the hub has hashed it is found with a store that is %o',
  async (profile) => {
    await replaceBetweenRequests(await twoHubs((await doubleOfTest(profile)).settings));
  },
);

/** Has something done once, when the hub has said which parts to join and the store has not begun. */
function beforeJoin({ profile }: S3Double, act: () => Promise<void>): void {
  profile.joinsAfter = () => {
    profile.joinsAfter = () => Promise.resolve();
    return act();
  };
}

test.each([
  [true, /was given other bytes for a part while it joined them/],
  [false, /The bytes have the digest sha256_/],
])(
  'a part replaced during the join is found, if the store compares (%s)',
  async (comparesEtags, sentence) => {
    const store = await doubleOfTest({ comparesEtags });
    const both = await twoHubs(store.settings);
    const file = fileOf(uploadPartBytes + 1000);
    const { assetId, urls } = await begun(both, file);
    beforeJoin(store, await replacementOf(both, assetId));
    const { status, bytes } = await sendBytes(urls[0], file, 0, file.bytes.length);
    expect(bytes.toString()).toMatch(sentence);
    expect(status).toBe(422);
    await mustBeginAgain(both, assetId, file, urls[0]);
  },
);

test.each([true, false])('so it is by finalizing, if the store compares (%s)', async (comparesEtags) => {
  const store = await doubleOfTest({ comparesEtags });
  const both = await twoHubs(store.settings);
  const file = fileOf(uploadPartBytes + 1000);
  const { assetId, urls } = await begun(both, file);
  const replace = await replacementOf(both, assetId);
  await sendParts(both, assetId, file, [1, 2]);
  beforeJoin(store, replace);
  const wrong = 'The uploaded bytes are not the announced ones: The bytes have the digest sha256_';
  if (comparesEtags)
    await expect(finalize(both, assetId)).rejects.toThrow('was given other bytes for a part while');
  await expect(finalize(both, assetId)).rejects.toThrow(wrong);
  await mustBeginAgain(both, assetId, file, urls[0]);
});

const ways = {
  finalizing: { waitsFor: isOfAsset, answer: /are not the announced ones/ },
  'the last bytes through the hub': { waitsFor: isOfAsset, answer: /^422/ },
  'the last bytes through the hub, before it joins the parts': { waitsFor: isUploadTail, answer: /^409/ },
};

test.each(Object.entries(ways))(
  'wrong bytes that are found (by %s) when the lease has ended leave what another client has uploaded meanwhile',
  async (way, { waitsFor, answer }) => {
    const store = await doubleOfTest({ checksum: 'ignored', conditional: 'ignored', reportsChecksum: false });
    const both = await twoHubs(store.settings);
    const { scene } = both;
    const file = fileOf(uploadPartBytes + 1000);
    const { assetId, urls } = await begun(both, file);
    const [replace, { length }] = [await replacementOf(both, assetId), file.bytes];
    if (way === 'finalizing') await sendParts(both, assetId, file, [1, 2]);
    else await append(urls[0], file, 0, length - 10);
    await replace();
    const [reads, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    store.profile.sendsAfter = async (key) => {
      if (!waitsFor(key)) return;
      reads.resolve();
      await goesOn.promise;
    };
    const last = async () => append(urls[0], file, length - 10, length);
    const first = way === 'finalizing' ? finalize(both, assetId).catch(String) : last();
    await reads.promise;
    const ended = { upload_lease: null, upload_lease_ends_at: null };
    await scene.hub.database.db.updateTable('assets').set(ended).execute();
    expect((await callUrl(urls[1], { method: 'PUT', body: file.bytes })).status).toBe(200);
    store.profile.sendsAfter = () => Promise.resolve();
    goesOn.resolve();
    expect(String(await first)).toMatch(answer);
    await mustBeServed(scene, assetId, file);
  },
);
