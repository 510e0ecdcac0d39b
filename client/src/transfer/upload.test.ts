import { randomBytes } from 'node:crypto';
import { appendFile, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ids } from '@corral/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UploadServer } from '../../test/upload-server.ts';
import { digestFile } from './file-digest.ts';
import { uploadAsset } from './upload.ts';

const mib = 1_048_576;
/** Retries are not delayed, except by a Retry-After. */
const noJitter = () => 0;
let folder: string;
let path: string;
let server: UploadServer;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corral-upload-'));
  path = join(folder, 'press.img');
  server = await UploadServer.start();
});

afterEach(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

async function upload(sizeBytes: number, onProgress?: (progress: { doneBytes: number }) => void) {
  await writeFile(path, randomBytes(sizeBytes));
  return send(onProgress);
}

async function send(onProgress?: (progress: { doneBytes: number }) => void) {
  const repositoryId = ids.repository.of('1'.repeat(22));
  const { executor, http } = server;
  return uploadAsset(await digestFile(path), { executor, http, repositoryId, onProgress, random: noJitter });
}

describe('a small file', () => {
  test('is one PUT with its length and without credentials', async () => {
    expect(await upload(100_000)).toEqual({
      status: 'uploaded',
      assetId: server.assetId,
      sentBytes: 100_000,
    });
    expect(server.requests).toEqual(['PUT']);
    expect(server.headers[0]).toMatchObject({ 'content-length': '100000' });
    expect(server.headers[0]).not.toHaveProperty('authorization');
    expect(server.headers[0]).not.toHaveProperty('transfer-encoding');
  });

  test('may be empty', async () => {
    expect(await upload(0)).toMatchObject({ status: 'uploaded', sentBytes: 0 });
    expect(server.headers[0]).toMatchObject({ 'content-length': '0' });
  });

  test('is not sent when the hub has it, unless its store has lost it', async () => {
    await upload(1_000);
    expect(await send()).toMatchObject({ status: 'deduplicated', sentBytes: 0 });
    server.storage = 'Missing';
    expect(await send()).toMatchObject({ status: 'uploaded', sentBytes: 1_000 });
    expect(server.requests).toEqual(['PUT', 'PUT']);
  });

  test.each([408, 409, 423, 429, 500, 502, 503])('is sent again after status %i', async (status) => {
    server.refusals = [status];
    expect(await upload(1_000)).toMatchObject({ status: 'uploaded' });
    expect(server.issuedUrls).toBe(1);
  });

  test.each([401, 403, 410])('is sent to a new URL after status %i', async (status) => {
    server.refusals = [status];
    expect(await upload(1_000)).toMatchObject({ status: 'uploaded' });
    expect(server.issuedUrls).toBe(2);
  });

  test.each([400, 411, 413, 507])(
    'is given up after status %i, with the sentence of the hub',
    async (status) => {
      server.refusals = [status];
      await expect(upload(mib)).rejects.toThrow(`It is refused with ${status}.`);
      expect(server.requests).toEqual(['PUT']);
    },
  );

  test('whose answer is lost is not sent again', async () => {
    server.losesAnswer = true;
    expect(await upload(1_000)).toMatchObject({ status: 'uploaded', sentBytes: 1_000 });
    expect(server.requests).toEqual(['PUT']);
  });
});

describe('a large file', () => {
  const sizeBytes = 40 * mib;

  test('goes on where the connection broke: 20 cuts cost less than 2 %', async () => {
    server.cuts = 20;
    server.cutAfterBytes = mib;
    const progress: number[] = [];
    const outcome = await upload(sizeBytes, ({ doneBytes }) => progress.push(doneBytes));
    expect(outcome).toMatchObject({ status: 'uploaded' });
    expect(server.receivedBytes).toBe(sizeBytes);
    expect(server.cuts).toBe(0);
    expect(progress.at(-1)).toBe(sizeBytes);
  });

  test('does not wait for its own broken request as long as for another client', async () => {
    server.cuts = 1;
    server.cutAfterBytes = 10 * mib;
    server.retryAfter = '100';
    const startedAtMs = performance.now();
    server.refusalsAfterCut = [423];
    await upload(sizeBytes);
    expect(server.requests).toEqual(['HEAD', 'PATCH', 'HEAD', 'HEAD', 'PATCH']);
    expect(performance.now() - startedAtMs).toBeLessThan(60_000);
  });

  test('goes on in the next run', async () => {
    server.cuts = Infinity;
    server.cutAfterBytes = 10 * mib;
    server.refusals = [];
    await writeFile(path, randomBytes(sizeBytes));
    const stopped = send(() => {
      if (server.receivedBytes >= 10 * mib) server.refusals = [400, 400];
    });
    await expect(stopped).rejects.toThrow();
    server.cuts = 0;
    server.refusals = [];
    const before = server.receivedBytes;
    expect(await send()).toMatchObject({ status: 'resumed' });
    expect(server.receivedBytes - before).toBeLessThanOrEqual(sizeBytes - 10 * mib);
  });

  test.each([404, 405, 501])('is sent whole where HEAD is answered with %i', async (status) => {
    server.refusals = [status];
    expect(await upload(sizeBytes)).toMatchObject({ status: 'uploaded' });
    expect(server.requests).toEqual(['HEAD', 'PUT']);
  });

  test('is sent whole to a hub without resumable uploads', async () => {
    server.isResumable = false;
    await upload(sizeBytes);
    expect(server.requests).toEqual(['PUT']);
  });
});

describe('a file that changes', () => {
  test('while it is sent: nothing becomes available', async () => {
    server.refusals = [503];
    await writeFile(path, randomBytes(mib));
    const file = await digestFile(path);
    await appendFile(path, 'x');
    const { executor, http } = server;
    const sent = uploadAsset(file, { executor, http, repositoryId: ids.repository.of('1'.repeat(22)) });
    await expect(sent).rejects.toThrow(/changed while it was read/);
    expect(server.status).toBe('Dangling');
  });

  test('back to the same size and time is noticed by its other times', async () => {
    await writeFile(path, 'one');
    await utimes(path, 1, 1);
    const before = await digestFile(path);
    await writeFile(path, 'two');
    await utimes(path, 1, 1);
    expect((await digestFile(path)).statKey).not.toBe(before.statKey);
  });

  test('is reported as damaged when the hub refuses its digest', async () => {
    await writeFile(path, 'one');
    const file = { ...(await digestFile(path)), digest: `sha256_${'0'.repeat(64)}` };
    const { executor, http } = server;
    const sent = uploadAsset(file, { executor, http, repositoryId: ids.repository.of('1'.repeat(22)) });
    await expect(sent).rejects.toMatchObject({ fault: 'Damaged', message: 'The bytes have another digest.' });
  });
});

test('a folder and a missing file are a sentence each', async () => {
  await expect(digestFile(folder)).rejects.toThrow(/is a folder\.$|no regular file\.$/);
  await expect(digestFile(path)).rejects.toThrow(/cannot be read: it is not there\.$/);
});
