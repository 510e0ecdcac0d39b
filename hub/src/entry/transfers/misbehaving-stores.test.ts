import { setTimeout as pause } from 'node:timers/promises';
import { ActionError, decodeMessage, messageHeader } from '@corral/contract';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  append,
  appendRest,
  assetScene,
  callUrl,
  fileOf,
  put,
  tus,
  type AssetScene,
  type RawAnswer,
  type TestFile,
} from '../../../test/asset-scene.ts';
import { checksumOf, etagOf, type StoredObject } from '../../../test/s3-double/objects.ts';
import { s3Double, type Profile, type S3Double } from '../../../test/s3-double/s3-double.ts';
import { storagesOf } from '../../../test/test-storages.ts';
import { checkStored, reportVerdict } from '../../domains/assets/jobs/scrub-assets.ts';
import { OpenAssetDownload } from '../../domains/assets/internal/OpenAssetDownload.ts';
import { systemCaller } from '../../calls/handler.ts';

let scene: AssetScene;
let store: S3Double;
beforeAll(async () => {
  scene = await assetScene({
    transferLimits: { checkEveryMs: 5 },
    env: { CORRAL_S3_REDIRECT_HOSTS: '127.0.0.1' },
  });
  store = await s3Double();
  await scene.useStore(store);
});
afterEach(() => void Object.assign(store.profile, wellBehaved));
afterAll(async () => {
  await scene[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

const wellBehaved: Partial<Profile> = {
  failures: 0,
  refuses: false,
  capacityBytes: Infinity,
  storesAfter: () => Promise.resolve(),
};

/** A store of one test, which behaves as its profile says. */
async function storeOfTest(profile: Partial<Profile>): Promise<S3Double> {
  const own = await s3Double(profile);
  onTestFinished(async () => {
    await scene.useStore(store);
    await own[Symbol.asyncDispose]();
  });
  await scene.useStore(own);
  return own;
}

const refusal = ({ status, headers, bytes }: RawAnswer) => ({
  status,
  retryAfter: headers['retry-after'],
  storedBytes: headers['corral-stored-bytes'],
  ...(JSON.parse(bytes.toString()) as { kind: string; message: string }),
});

function objectOf({ objects }: S3Double, { digest }: TestFile): [string, StoredObject] | undefined {
  return [...objects].find(([key]) => key.endsWith(digest.slice('sha256_'.length)));
}

/** Changes the bytes of an object behind the store's back. */
function replaceObject(inStore: S3Double, file: TestFile, change: (bytes: Buffer) => Buffer): void {
  const [key, object] = objectOf(inStore, file) ?? [];
  if (key === undefined || object === undefined) throw new Error('There is no such object.');
  const bytes = change(Buffer.from(object.bytes));
  inStore.objects.set(key, { ...object, bytes, checksum: checksumOf(bytes), etag: etagOf(bytes) });
}

const ways = [
  ['a PUT', put],
  ['a resumable upload', appendRest],
] as const;

/** How a store fails, and what the one who uploads is told. */
const failures: readonly (readonly [string, Partial<Profile>, object])[] = [
  [
    'an overloaded store',
    { failures: 1_000 },
    { status: 503, retryAfter: '5', message: expect.stringMatching(/ is overloaded: try again later\.$/) },
  ],
  [
    'a store that refuses the key since it was revoked',
    { refuses: true },
    { status: 502, message: expect.stringMatching(/denies access: check .*\.$/) },
  ],
  [
    'a full store',
    { capacityBytes: 100_000 },
    { status: 507, message: expect.stringMatching(/has no space left for this bucket\.$/) },
  ],
];

for (const [way, send] of ways) {
  test.each(failures)(
    `%s: ${way} is told so, nothing is half done, and it succeeds later`,
    async (_, profile, told) => {
      const file = fileOf(300_000);
      const { assetId, url } = await scene.begin(file);
      Object.assign(store.profile, profile);
      expect(refusal(await send(url, file))).toMatchObject({ kind: 'Internal', ...told });
      expect(await scene.stateOf(assetId)).toBe('Dangling Unknown');
      expect(objectOf(store, file)).toBeUndefined();
      Object.assign(store.profile, wellBehaved);
      expect((await send(url, file)).status).toBeLessThan(300);
      expect(await scene.stateOf(assetId)).toBe('Available Verified');
    },
  );

  test(`a store that takes long after the last byte: ${way} is not taken for one that stands still`, async () => {
    const file = fileOf(300_000);
    const assetId = await scene.create(file);
    store.profile.storesAfter = () => {
      // Longer than a client may send nothing; many checks of that take place meanwhile.
      scene.hub.advance(50);
      return pause(150);
    };
    expect((await send(await scene.uploadUrl(assetId), file)).status).toBeLessThan(300);
    expect(await scene.stateOf(assetId)).toBe('Available Verified');
  });
}

test('a client that asks how far its upload is gets the sentence too: in a header, since HEAD has no body', async () => {
  const file = fileOf(300_000);
  const { url } = await scene.begin(file);
  expect((await append(url, 0, file.bytes.subarray(0, 1000))).status).toBe(204);
  store.profile.refuses = true;
  const { status, headers } = await callUrl(url, { method: 'HEAD', headers: tus });
  expect(status).toBe(502);
  expect(decodeMessage(String(headers[messageHeader]))).toMatch(/denies access: check .*\.$/);
});

test('a store that fails while an upload to it is verified: the client may finalize again', async () => {
  const file = fileOf(200_000);
  const assetId = await scene.create(file);
  const issued = await scene.call('repositories_IssueAssetUploadUrl', { assetId });
  const headers = issued.headers ?? {};
  const direct = (body: Buffer) => callUrl(issued.verifiedUrl ?? '', { method: 'PUT', headers, body });
  expect((await direct(fileOf(200_000).bytes)).status).toBe(400);
  expect((await direct(file.bytes)).status).toBe(200);
  const finalize = () => scene.call('repositories_FinalizeAssetUpload', { assetId });
  store.profile.failures = 1_000;
  await expect(finalize()).rejects.toThrow(/is overloaded: try again later/);
  await expect(finalize()).rejects.toBeInstanceOf(ActionError);
  expect(await scene.stateOf(assetId)).toMatch(/^Dangling /);
  store.profile.failures = 0;
  await finalize();
  expect(await scene.stateOf(assetId)).toBe('Available Verified');
});

test('a store whose object has another digest than the upload: finalize refuses, and a new upload succeeds', async () => {
  const file = fileOf(200_000);
  const assetId = await scene.create(file);
  const issued = await scene.call('repositories_IssueAssetUploadUrl', { assetId });
  const headers = issued.headers ?? {};
  await callUrl(issued.verifiedUrl ?? '', { method: 'PUT', headers, body: file.bytes });
  replaceObject(store, file, (bytes) => bytes.fill('x', 7, 8));
  await expect(scene.call('repositories_FinalizeAssetUpload', { assetId })).rejects.toThrow(
    /^The uploaded bytes are not the announced ones: .* Upload them again\.$/,
  );
  expect(await scene.stateOf(assetId)).toBe('Dangling Mismatched');
  expect(objectOf(store, file)).toBeUndefined();
  expect((await put(await scene.uploadUrl(assetId), file)).status).toBe(200);
  expect(await scene.stateOf(assetId)).toBe('Available Verified');
});

test('a download through the hub from a failing store is a sentence, or a cut, and never other bytes', async () => {
  const own = await storeOfTest({ ranges: false });
  const file = fileOf(300_000);
  const assetId = await scene.upload(file);
  const url = await scene.downloadUrl(assetId);
  own.profile.failures = 1_000;
  expect(refusal(await callUrl(url))).toMatchObject({
    status: 503,
    retryAfter: '5',
    message: expect.stringMatching(/is overloaded: try again later\.$/),
  });
  Object.assign(own.profile, { failures: 0, refuses: true });
  expect(refusal(await callUrl(url))).toMatchObject({
    status: 502,
    message: expect.stringMatching(/denies access/),
  });
  Object.assign(own.profile, { refuses: false, cutsAnswers: true });
  // What is checked is read before the answer begins.
  expect(refusal(await callUrl(url))).toMatchObject({ status: 503, retryAfter: '5' });
  const cut = await callUrl(url, { headers: { 'corral-verifies': 'sha-256' } });
  expect([cut.isCut, file.bytes.subarray(0, cut.bytes.length).equals(cut.bytes)]).toEqual([true, true]);
  own.profile.cutsAnswers = false;
  expect(await scene.stateOf(assetId)).toBe('Available Verified');
  expect((await callUrl(url)).bytes.equals(file.bytes)).toBe(true);

  replaceObject(own, file, (bytes) => bytes.subarray(0, 250_000));
  const short = await callUrl(url);
  expect(short.isCut || short.status === 500).toBe(true);
  await expect.poll(() => scene.stateOf(assetId)).toBe('Available Mismatched');
  expect(refusal(await callUrl(url))).toMatchObject({
    status: 500,
    message:
      'The stored bytes of this asset are missing or damaged. Upload the same file again to repair it.',
  });
  await scene.upload(file);
  expect((await callUrl(url)).bytes.equals(file.bytes)).toBe(true);
});

test.each([
  [
    'Missing',
    (inStore: S3Double, file: TestFile) => void inStore.objects.delete(objectOf(inStore, file)?.[0] ?? ''),
  ],
  [
    'Mismatched',
    (inStore: S3Double, file: TestFile) => replaceObject(inStore, file, (bytes) => bytes.fill('x', 7, 8)),
  ],
])(
  'an object known to be damaged (%s) is no longer fetched from the store itself: the hub says what repairs it',
  async (status, damage) => {
    const file = fileOf(200_000);
    const assetId = await scene.upload(file);
    const { hub } = scene;
    const issue = () => scene.call('repositories_IssueAssetDownloadUrl', { assetId });
    const before = await issue();
    expect(before.url.startsWith(store.settings.endpoint)).toBe(true);
    damage(store, file);
    const found = await hub.executor.run(systemCaller, OpenAssetDownload, { assetId });
    if (found.result !== 'Found') throw new Error('The asset is gone.');
    await reportVerdict(hub.executor, found, await checkStored(storagesOf(hub.database.db), found));
    expect(await scene.stateOf(assetId)).toBe(`Available ${status}`);

    const issued = await issue();
    expect(Object.keys(issued)).toEqual(Object.keys(before));
    expect(new URL(issued.url).pathname).toBe(`/r/assets/${assetId}`);
    expect(refusal(await callUrl(await scene.downloadUrl(assetId)))).toMatchObject({
      status: 500,
      storedBytes: 'damaged',
      message:
        'The stored bytes of this asset are missing or damaged. Upload the same file again to repair it.',
    });
    await scene.upload(file);
    const { url } = await issue();
    expect(url.startsWith(store.settings.endpoint)).toBe(true);
    expect((await callUrl(url)).bytes.equals(file.bytes)).toBe(true);
  },
);

test('a public file leads to the store where clients reach it, and is streamed where they do not or only the hub can answer', async () => {
  const [direct, proxied] = [fileOf(200_000), fileOf(200_000)];
  const directId = await scene.upload(direct);
  await storeOfTest({ ranges: false });
  const proxiedId = await scene.upload(proxied);
  const folder = await scene.publish({ 'direct file.bin': directId, 'proxied.bin': proxiedId });
  const get = (filename: string, call: Parameters<typeof callUrl>[1] = {}) =>
    callUrl(`${folder}/${filename}`, call);

  const redirect = await get('direct%20file.bin');
  expect([redirect.status, redirect.bytes.length]).toEqual([302, 0]);
  expect(redirect.headers).toMatchObject({ 'cache-control': 'public, no-cache' });
  expect(redirect.headers).not.toHaveProperty('etag');
  const { location = '' } = redirect.headers;
  expect(location.startsWith(store.settings.endpoint)).toBe(true);
  const served = await callUrl(location);
  expect([served.status, served.bytes.equals(direct.bytes)]).toEqual([200, true]);
  expect(served.headers).toMatchObject({
    'content-disposition': 'attachment; filename="direct file.bin"',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  const range = { headers: { range: 'bytes=10-19' } };
  expect((await get('direct%20file.bin', range)).status).toBe(302);
  expect((await callUrl(location, range)).bytes).toEqual(direct.bytes.subarray(10, 20));

  const head = await get('direct%20file.bin', { method: 'HEAD' });
  expect([head.status, head.headers['content-length']]).toEqual([200, '200000']);
  const etag = String(head.headers.etag);
  expect((await get('direct%20file.bin', { headers: { 'if-none-match': etag } })).status).toBe(304);
  const resumed = await get('direct%20file.bin', { headers: { range: 'bytes=100-', 'if-range': etag } });
  expect([resumed.status, resumed.bytes.equals(direct.bytes.subarray(100))]).toEqual([206, true]);
  const streamed = await get('proxied.bin');
  expect([streamed.status, streamed.bytes.equals(proxied.bytes)]).toEqual([200, true]);
});
