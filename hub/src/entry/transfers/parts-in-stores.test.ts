import { expect, test } from 'vitest';
import { fileOf, offsetOf } from '../../../test/asset-scene.ts';
import type { StoredObject } from '../../../test/s3-double/objects.ts';
import type { Profile, S3Double } from '../../../test/s3-double/s3-double.ts';
import { s3Server } from '../../../test/s3-server.ts';
import {
  appended,
  begun,
  doubleOfTest,
  objectsOf,
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
  expect(await appended(first, file, 0, inFirst)).toEqual([204, inFirst]);
  // The bytes behind the last whole part are at the hub that has received them.
  expect(await offsetOf(second)).toBe(uploadPartBytes);
  const inSecond = uploadPartBytes + 500_000;
  expect(await appended(second, file, uploadPartBytes, inSecond)).toEqual([204, inSecond]);
  expect(await appended(first, file, inSecond, inSecond + 1)).toEqual([409, inFirst]);
  expect(await appended(first, file, inFirst, file.bytes.length)).toEqual([204, file.bytes.length]);
  await both.scene.mustServe(assetId, file);
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
  const [status] = await appended(urls[0], file, 0, file.bytes.length);
  expect(status).toBeGreaterThanOrEqual(500);
  expect((await both.scene.details(assetId)).status).toBe('Dangling');
  expect(await offsetOf(urls[1])).toBe(file.bytes.length);
  await both.scene.mustServe(assetId, file);
  expect(store.uploads.size).toBe(0);
});

test('a damaged object does not count as the joined parts of the upload that is to replace it', async () => {
  const store = await doubleOfTest();
  const both = await twoHubs(store.settings);
  const file = fileOf(uploadPartBytes + 1000);
  const { assetId, urls } = await begun(both, file);
  expect(await appended(urls[0], file, 0, file.bytes.length)).toEqual([204, file.bytes.length]);
  const [key = ''] = objectsOf(store, file);
  const object = store.objects.get(key) as StoredObject;
  store.objects.set(key, { ...object, bytes: Buffer.alloc(file.bytes.length) });
  const damaged = { status: 'Mismatched', detail: 'It has other bytes.' } as const;
  await reportVerdict(both.scene.hub.executor, { assetId }, damaged);
  expect(await appended(urls[0], file, 0, uploadPartBytes)).toEqual([204, uploadPartBytes]);
  store.uploads.clear();
  expect(await offsetOf(urls[1])).toBe(0);
  expect(await appended(urls[1], file, 0, file.bytes.length)).toEqual([204, file.bytes.length]);
  await both.scene.mustServe(assetId, file);
});

test('the upload of a deleted asset, and one that no asset knows, are aborted', async () => {
  const store = await doubleOfTest();
  const both = await twoHubs(store.settings);
  const [kept, deleted] = [fileOf(uploadPartBytes + 1), fileOf(uploadPartBytes + 1)];
  const first = await begun(both, kept);
  const second = await begun(both, deleted);
  await appended(first.urls[0], kept, 0, uploadPartBytes);
  await appended(second.urls[0], deleted, 0, uploadPartBytes);
  const [known = ''] = [...store.uploads.keys()];
  const unknown = store.uploads.get(known);
  if (unknown !== undefined) store.uploads.set('lost', unknown);
  await sweep(both, new Date().toISOString());
  expect(store.uploads.size).toBe(3);
  await sweep(both, '2100-01-01');
  expect(store.uploads.has('lost')).toBe(false);
  expect(store.uploads.size).toBe(2);
  const { scene } = both;
  await scene.call('repositories_DeleteAsset', { assetId: second.assetId });
  await collectAssets(scene.hub);
  expect([...store.uploads.keys()]).toEqual([known]);
});
