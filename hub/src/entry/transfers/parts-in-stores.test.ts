import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { fileOf } from '../../../test/asset-scene.ts';
import { leaveUpload } from '../../../test/leave-upload.ts';
import type { StoredObject } from '../../../test/s3-double/objects.ts';
import type { Profile, S3Double } from '../../../test/s3-double/s3-double.ts';
import { s3Server } from '../../../test/s3-server.ts';
import {
  append,
  begun,
  by,
  doubleOfTest,
  mustBeServed,
  objectsOf,
  offsetOf,
  sweep,
  twoHubs,
  type TwoHubs,
} from '../../../test/two-hubs.ts';
import { uploadPartBytes } from '../../domains/assets/storage/upload-parts.ts';
import { collectAssets } from '../../domains/assets/jobs/collect-assets.ts';
import { reportVerdict } from '../../domains/assets/jobs/scrub-assets.ts';

async function resumeAtBothHubs(both: TwoHubs, partCount: number): Promise<void> {
  const file = fileOf((partCount - 1) * uploadPartBytes + 3_000_000);
  const { assetId, urls } = await begun(both, file);
  const [first, second] = urls;
  expect(await offsetOf(first)).toBe(0);
  const inFirst = uploadPartBytes + 1_000_000;
  expect(await append(first, file, 0, inFirst)).toEqual([204, inFirst]);
  // The bytes behind the last whole part are at the hub that has received them.
  expect(await offsetOf(second)).toBe(uploadPartBytes);
  const inSecond = uploadPartBytes + 500_000;
  expect(await append(second, file, uploadPartBytes, inSecond)).toEqual([204, inSecond]);
  expect(await append(first, file, inSecond, inSecond + 1)).toEqual([409, inFirst]);
  expect(await append(first, file, inFirst, file.bytes.length)).toEqual([204, file.bytes.length]);
  await mustBeServed(both.scene, assetId, file);
}

test('[needs Go] versitygw: the parts of one resumable upload may reach different hubs', async (context) => {
  await resumeAtBothHubs(await twoHubs(await (await s3Server(context)).bucket()), 3);
});

test.each<Partial<Profile>>([
  {},
  { checksum: 'ignored', conditional: 'ignored', reportsChecksum: false },
  { checksum: 'rejected', conditional: 'rejected', reportsChecksum: false },
])('a resumable upload goes on at another hub with a store that is %o', async (profile) => {
  const store = await doubleOfTest(profile);
  await resumeAtBothHubs(await twoHubs(store.settings), 2);
  expect(store.uploads.size).toBe(0);
});

test('small parts add up, and a part with a wrong checksum and wrong bytes begin again', async () => {
  const store = await doubleOfTest();
  const both = await twoHubs(store.settings);
  const file = fileOf(uploadPartBytes + 100_000);
  const { assetId, urls } = await begun(both, file);
  const [first, second] = urls;
  const step = 3_000_000;
  for (let at = 0; at < 2 * step; at += step)
    expect(await append(first, file, at, at + step)).toEqual([204, at + step]);
  const checksum = createHash('sha256').update('other bytes').digest('base64');
  const checked = { 'upload-checksum': `sha256 ${checksum}` };
  expect(await append(first, file, 2 * step, file.bytes.length, checked)).toEqual([460, Number.NaN]);
  expect(await offsetOf(first)).toBe(0);
  const wrong = { ...file, bytes: Buffer.alloc(file.bytes.length) };
  expect((await append(second, wrong, 0, file.bytes.length))[0]).toBe(422);
  expect((await both.scene.details(assetId)).status).toBe('Dangling');
  expect(objectsOf(store, file)).toEqual([]);
  expect(await offsetOf(first)).toBe(0);
  expect(await append(first, file, 0, file.bytes.length)).toEqual([204, file.bytes.length]);
  await mustBeServed(both.scene, assetId, file);
  await sweep(both, '2100-01-01');
  expect([...store.objects.keys()]).toEqual(objectsOf(store, file));
});

test('a lost connection keeps the bytes that arrived, also at a hub that has not seen the upload', async () => {
  const store = await doubleOfTest();
  const both = await twoHubs(store.settings);
  const file = fileOf(uploadPartBytes + 3_000_000);
  const { assetId, urls } = await begun(both, file);
  const [url, other] = urls;
  const { bytes } = file;
  await leaveUpload({ hub: both.hubs[0], url, offset: 0, bytes, sentBytes: uploadPartBytes + 2_000_000 });
  expect(await offsetOf(url)).toBeGreaterThan(uploadPartBytes);
  const offset = await offsetOf(other);
  expect(offset).toBe(uploadPartBytes);
  expect(await append(other, file, offset, bytes.length)).toEqual([204, bytes.length]);
  await mustBeServed(both.scene, assetId, file);
});

/** Has the store break the connection behind the next join of parts, so that the hub never learns of it. */
function loseAnswerToJoin({ profile }: S3Double): void {
  profile.answersAfter = (operation) => {
    if (operation !== 'CompleteMultipartUpload') return Promise.resolve();
    profile.answersAfter = () => Promise.resolve();
    return Promise.reject(new Error('The connection breaks.'));
  };
}

test('parts that were joined without the hub learning of it are not sent again', async () => {
  const store = await doubleOfTest();
  const both = await twoHubs(store.settings);
  const file = fileOf(uploadPartBytes + 1000);
  const { assetId, urls } = await begun(both, file);
  loseAnswerToJoin(store);
  const [status] = await append(urls[0], file, 0, file.bytes.length);
  expect(status).toBeGreaterThanOrEqual(500);
  expect((await both.scene.details(assetId)).status).toBe('Dangling');
  expect(await offsetOf(urls[1])).toBe(file.bytes.length);
  await mustBeServed(both.scene, assetId, file);
  expect(store.uploads.size).toBe(0);
});

test('a damaged object does not count as the joined parts of the upload that is to replace it', async () => {
  const store = await doubleOfTest();
  const both = await twoHubs(store.settings);
  const file = fileOf(uploadPartBytes + 1000);
  const { assetId, urls } = await begun(both, file);
  expect(await append(urls[0], file, 0, file.bytes.length)).toEqual([204, file.bytes.length]);
  const [key = ''] = objectsOf(store, file);
  const object = store.objects.get(key) as StoredObject;
  store.objects.set(key, { ...object, bytes: Buffer.alloc(file.bytes.length) });
  const damaged = { status: 'Mismatched', detail: 'It has other bytes.' } as const;
  await reportVerdict(both.scene.hub.executor, { assetId }, damaged);
  expect(await append(urls[0], file, 0, uploadPartBytes)).toEqual([204, uploadPartBytes]);
  store.uploads.clear();
  expect(await offsetOf(urls[1])).toBe(0);
  expect(await append(urls[1], file, 0, file.bytes.length)).toEqual([204, file.bytes.length]);
  await mustBeServed(both.scene, assetId, file);
});

test('the upload of a deleted asset, and one that no asset knows, are aborted', async () => {
  const store = await doubleOfTest();
  const both = await twoHubs(store.settings);
  const [kept, deleted] = [fileOf(uploadPartBytes + 1), fileOf(uploadPartBytes + 1)];
  const first = await begun(both, kept);
  const second = await begun(both, deleted);
  await append(first.urls[0], kept, 0, uploadPartBytes);
  await append(second.urls[0], deleted, 0, uploadPartBytes);
  const [known = ''] = [...store.uploads.keys()];
  const unknown = store.uploads.get(known);
  if (unknown !== undefined) store.uploads.set('lost', unknown);
  await sweep(both, new Date().toISOString());
  expect(store.uploads.size).toBe(3);
  await sweep(both, '2100-01-01');
  expect(store.uploads.has('lost')).toBe(false);
  expect(store.uploads.size).toBe(2);
  const { scene } = both;
  await scene.hub.executor.invoke(by(scene), 'repositories_DeleteAsset', { assetId: second.assetId });
  await collectAssets(scene.hub);
  expect([...store.uploads.keys()]).toEqual([known]);
});
