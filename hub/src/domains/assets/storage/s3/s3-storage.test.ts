import { expect, test } from 'vitest';
import { everything, openStore } from '../../../../../test/open-store.ts';
import { s3Server } from '../../../../../test/s3-server.ts';
import { storageRules } from '../../../../../test/storage-rules.ts';
import { collect, inPieces, sampleContent, unaborted } from '../../../../../test/stored-bytes.ts';
import { StorageError } from '../asset-storage.ts';
import { storageKey } from '../storage-key.ts';
import { probeStore } from './probe.ts';

for (const [rule, check] of Object.entries(storageRules))
  test(`[needs Go] versitygw: ${rule}`, async (context) => {
    const settings = await (await s3Server(context)).bucket();
    await check(openStore(settings));
  });

test('[needs Go] versitygw: an object above the limit of one PUT is uploaded in parts', async (context) => {
  const settings = await (await s3Server(context)).bucket();
  const storage = openStore(settings, { mostAtOnce: 1_000_000 });
  const content = sampleContent(12_000_000);
  const key = storageKey('', 'r1', content.digest);
  const wrong = Buffer.from(content.bytes);
  wrong[0] = (wrong[0] ?? 0) ^ 1;
  const write = (bytes: Buffer) => storage.write(key, inPieces(bytes), content, unaborted());
  await expect(write(wrong)).rejects.toMatchObject({ fault: 'DigestMismatch' });
  await expect(write(content.bytes.subarray(1))).rejects.toMatchObject({ fault: 'SizeMismatch' });
  await expect(write(Buffer.concat([content.bytes, wrong]))).rejects.toMatchObject({ fault: 'SizeMismatch' });
  expect(await storage.stat(key)).toBeUndefined();
  expect(await write(content.bytes)).toMatchObject({ chunkDigests: content.chunkDigests });
  expect((await collect(await storage.read(key))).equals(content.bytes)).toBe(true);
  expect(await storage.stat(key)).toEqual({ sizeBytes: 12_000_000, assetId: 'asset1' });
});

test('[needs Go] versitygw: the probe finds what it enforces, and cleans up', async (context) => {
  const settings = { ...(await (await s3Server(context)).bucket()), prefix: 'a/b' };
  const parts = { rule: () => undefined, now: () => new Date(), isForOperator: true };
  const { clockAheadSecs, ...found } = await probeStore(settings, parts);
  // It stores an upload that is cut off, unless a checksum or a signed digest is sent with it.
  expect({ ...found, clockAheadSecs: 0 }).toEqual({ ...everything, discardsShortUploads: false });
  expect(Math.abs(clockAheadSecs)).toBeLessThan(60);
  expect(await openStore(settings).list()).toEqual([]);
  const wrongs = [
    [{ secretAccessKey: 'wrong' }, /refuses the signature.*It said “SignatureDoesNotMatch: /],
    [{ accessKeyId: 'nobody' }, /does not know the access key/],
    [{ bucket: 'missing-bucket' }, /has no such bucket/],
    [{ endpoint: 'http://127.0.0.1:1' }, /cannot be reached \(ECONNREFUSED\)/],
  ] as const;
  for (const [wrong, message] of wrongs) {
    const failure = await probeStore({ ...settings, ...wrong }, parts).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StorageError);
    expect((failure as Error).message).toMatch(message);
    expect((failure as Error).message).not.toContain(settings.secretAccessKey);
  }
});

test('[needs Go] versitygw: a presigned upload is pinned to its bytes and never overwrites; a presigned download has ranges', async (context) => {
  const settings = await (await s3Server(context)).bucket();
  const { direct } = openStore(settings);
  const content = sampleContent(200_000);
  const key = storageKey('', 'r1', content.digest);
  const signed = await direct?.presignPut(key, { ...content, assetId: 'asset1', ttlSecs: 60 });
  const put = (body: Buffer, headers = signed?.headers ?? {}) =>
    fetch(signed?.url ?? '', { method: 'PUT', headers, body: new Uint8Array(body) });
  expect(new URL(signed?.url ?? '').searchParams.get('X-Amz-SignedHeaders')).toBe(
    'content-length;host;if-none-match;x-amz-checksum-sha256;x-amz-meta-nexigon-asset-id;x-amz-meta-nexigon-digest',
  );
  const wrong = Buffer.alloc(200_000);
  expect((await put(wrong)).status).toBe(400);
  expect((await put(content.bytes.subarray(1))).status).toBe(403);
  expect((await put(content.bytes, {})).status).toBe(403);
  expect((await put(content.bytes)).status).toBe(200);
  expect((await put(content.bytes)).status).toBe(412);
  expect(await openStore(settings).stat(key)).toEqual({
    sizeBytes: 200_000,
    digest: content.digest,
    assetId: 'asset1',
  });
  const contentDisposition = `attachment; filename="a b.img"; filename*=UTF-8''a%20b.img`;
  const url = (await direct?.presignGet(key, { ttlSecs: 60, contentDisposition })) ?? '';
  const answer = await fetch(url, { headers: { range: 'bytes=10-19' } });
  expect(answer.status).toBe(206);
  expect(Buffer.from(await answer.arrayBuffer()).equals(content.bytes.subarray(10, 20))).toBe(true);
  expect(answer.headers.get('content-disposition')).toBe(contentDisposition);
  expect((await fetch(url.replace('r1', 'r2'))).status).toBe(403);
});
