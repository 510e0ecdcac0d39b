import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AssetServer, image } from '../../test/asset-server.ts';
import { downloadAsset, type DownloadOptions } from './download.ts';

const mib = 1_048_576;
/** More digests of chunks than one page has. */
const bytes = image(12);
let folder: string;
let server: AssetServer;
let target: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corral-download-'));
  target = join(folder, 'press.img');
  server = await AssetServer.start(bytes);
});

afterEach(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const download = (more: Partial<DownloadOptions> = {}) =>
  downloadAsset(server.asset, {
    executor: server.executor,
    http: server.http,
    target,
    // Retries are not delayed, except by a Retry-After.
    random: () => 0,
    ...more,
  });

/** Downloads until some bytes have arrived, and aborts. */
async function interrupted(atBytes: number): Promise<void> {
  const stopping = new AbortController();
  const onProgress = ({ doneBytes }: { doneBytes: number }): void => {
    if (doneBytes >= atBytes) stopping.abort();
  };
  await expect(download({ signal: stopping.signal, onProgress })).rejects.toThrow();
}

async function isRight(): Promise<boolean> {
  return (await readFile(target)).equals(server.bytes);
}

describe('a download', () => {
  test('is one request, without credentials, and leaves only the file', async () => {
    const progress: number[] = [];
    const outcome = await download({ onProgress: ({ doneBytes }) => progress.push(doneBytes) });
    expect(outcome).toEqual({ status: 'downloaded', path: target, fetchedBytes: server.bytes.length });
    expect(await isRight()).toBe(true);
    expect(await readdir(folder)).toEqual(['press.img']);
    expect(server.ranges).toEqual([`bytes=0-${server.bytes.length - 1}`]);
    expect(server.headers[0]).not.toHaveProperty('authorization');
    expect(server.headers[0]).not.toHaveProperty('cookie');
    expect(progress.at(-1)).toBe(server.bytes.length);
  });

  test('of a file that is there already fetches nothing', async () => {
    await writeFile(target, server.bytes);
    expect(await download()).toEqual({ status: 'unchanged', path: target, fetchedBytes: 0 });
    expect(server.ranges).toEqual([]);
  });

  test('goes on where the connection broke: 50 cuts cost less than 2 %', async () => {
    server.cuts = 50;
    server.cutAfterBytes = 150_000;
    expect(await download()).toMatchObject({ fetchedBytes: server.bytes.length });
    // What was in the sockets when they broke is lost.
    expect(server.sentBytes).toBeLessThanOrEqual(1.02 * server.bytes.length);
    expect(server.cuts).toBe(0);
    expect(await isRight()).toBe(true);
  });

  test('asks for a new URL where the old one has expired, and goes on', async () => {
    server.cuts = 1;
    server.cutAfterBytes = 5 * mib;
    server.onSent = (sentBytes) => {
      if (sentBytes < 6 * mib) server.refusals = [{ status: 403 }, { status: 410 }];
    };
    expect(await download()).toMatchObject({ fetchedBytes: server.bytes.length });
    expect(server.issuedUrls).toBe(3);
    expect(await isRight()).toBe(true);
  });

  test('waits as long as the server says, and gives up on an error that stays', async () => {
    server.refusals = [{ status: 503, headers: { 'retry-after': '1' } }];
    const delays: number[] = [];
    await download({ onRetry: (_reason, delayMs) => delays.push(delayMs), random: () => 0.5 });
    expect(delays).toEqual([1_125]);
    await rm(target);
    server.refusals = [{ status: 400 }];
    await expect(download()).rejects.toMatchObject({ fault: 'Refused', status: 400 });
    expect(await readdir(folder)).toEqual([
      expect.stringMatching(/^\.press\.img\.[0-9a-f]{16}\.corral-part$/),
    ]);
  });

  test('follows a redirect to a store', async () => {
    const store = await AssetServer.start(server.bytes);
    server.refusals = [{ status: 302, headers: { location: `${store.origin}/bucket/key?sig=2` } }];
    await download();
    expect(await isRight()).toBe(true);
    expect(store.ranges).toHaveLength(1);
    await store.stop();
  });
});

describe('what was interrupted', () => {
  test('keeps what is good', async () => {
    await interrupted(6 * mib);
    await expect(readFile(target)).rejects.toThrow();
    const before = server.sentBytes;
    server.ranges.length = 0;
    const { fetchedBytes } = await download();
    expect(fetchedBytes).toBe(server.sentBytes - before);
    expect(fetchedBytes).toBeLessThanOrEqual(server.bytes.length - 6 * mib);
    expect(server.ranges).toHaveLength(1);
    expect(await isRight()).toBe(true);
  });

  test('is verified: what a power cut lost or damaged is fetched again, and nothing else', async () => {
    await interrupted(10 * mib);
    const [name = ''] = await readdir(folder);
    const partial = await readFile(join(folder, name));
    const isThere = partial.subarray(9 * mib, 10 * mib).equals(server.bytes.subarray(9 * mib, 10 * mib));
    expect(isThere).toBe(true);
    partial.fill(0, 3 * mib, 4 * mib);
    partial[7 * mib] = (partial[7 * mib] ?? 0) ^ 1;
    await writeFile(join(folder, name), partial);
    server.ranges.length = 0;
    await download();
    expect(server.ranges.slice(0, 2)).toEqual([
      `bytes=${3 * mib}-${4 * mib - 1}`,
      `bytes=${7 * mib}-${8 * mib - 1}`,
    ]);
    expect(await isRight()).toBe(true);
  });

  test('of an asset without digests of its chunks continues at its end, and starts again where that was bad', async () => {
    server.hasChunks = false;
    await interrupted(6 * mib);
    server.ranges.length = 0;
    await download();
    expect(Number(/^bytes=(\d+)-/.exec(server.ranges[0] ?? '')?.[1])).toBeGreaterThanOrEqual(6 * mib);
    expect(await isRight()).toBe(true);
    await rm(target);
    await interrupted(6 * mib);
    const [name = ''] = await readdir(folder);
    await writeFile(join(folder, name), Buffer.alloc(6 * mib));
    await download();
    expect(await isRight()).toBe(true);
  });
});

describe('what is on the machine already', () => {
  test('is taken from the file that is replaced, and from named ones', async () => {
    const old = Buffer.from(server.bytes);
    old[2 * mib] = (old[2 * mib] ?? 0) ^ 1;
    old.fill(7, 5 * mib, 7 * mib);
    await writeFile(target, old);
    const other = join(folder, 'other.img');
    await writeFile(other, Buffer.concat([Buffer.alloc(mib), server.bytes.subarray(6 * mib, 7 * mib)]));
    expect(await download({ from: [other] })).toMatchObject({ status: 'downloaded', fetchedBytes: 2 * mib });
    expect(server.ranges).toEqual([`bytes=${2 * mib}-${3 * mib - 1}`, `bytes=${5 * mib}-${6 * mib - 1}`]);
    expect(await isRight()).toBe(true);
  });

  test('are zeros, which are never fetched', async () => {
    const sparse = image(4);
    sparse.fill(0, mib, 3 * mib);
    await server.stop();
    server = await AssetServer.start(sparse);
    expect(await download()).toMatchObject({ fetchedBytes: sparse.length - 2 * mib });
    expect(await isRight()).toBe(true);
  });
});

describe('a server with other bytes', () => {
  test('is asked three times; then the download ends, and no file appears', async () => {
    server.alter = (bytes, start) => {
      const at = 7 * mib + 5 - start;
      if (at >= 0 && at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ 1;
      return bytes;
    };
    await expect(download()).rejects.toMatchObject({
      fault: 'Damaged',
      message: `The bytes from ${7 * mib} to ${8 * mib} are not those of the asset.`,
    });
    expect(server.issuedUrls).toBe(3);
    await expect(readFile(target)).rejects.toThrow();
    server.alter = (bytes) => bytes;
    server.ranges.length = 0;
    await download();
    expect(server.ranges).toEqual([`bytes=${7 * mib}-${server.bytes.length - 1}`]);
  });

  test('that says so itself is asked once; any other 500 is tried again', async () => {
    const damaged = {
      status: 500,
      headers: { 'corral-stored-bytes': 'damaged', 'corral-message': 'Damaged.' },
    };
    const delays: number[] = [];
    const onRetry = (_reason: string, delayMs: number): void => void delays.push(delayMs);
    server.refusals = [damaged, damaged];
    await expect(download({ onRetry })).rejects.toMatchObject({
      fault: 'Damaged',
      message: 'Damaged.',
      status: 500,
    });
    expect([server.ranges.length, delays.length]).toEqual([1, 0]);
    server.refusals = [{ status: 500 }, { status: 503 }];
    await download({ onRetry });
    expect(delays).toHaveLength(2);
    expect(await isRight()).toBe(true);
  });

  test('is noticed by the whole digest, where there are no others', async () => {
    server.hasChunks = false;
    server.alter = (bytes) => bytes.fill(~(bytes[0] ?? 0), 0, 1);
    await expect(download()).rejects.toMatchObject({ fault: 'Damaged' });
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('the file', () => {
  test('replaces a symbolic link and does not follow it', async () => {
    const elsewhere = join(folder, 'elsewhere');
    await writeFile(elsewhere, 'mine');
    await symlink(elsewhere, target);
    await download();
    expect(await readFile(elsewhere, 'utf8')).toBe('mine');
    expect(await isRight()).toBe(true);
  });

  test('is not written through a link that stands where its unfinished file would', async () => {
    const elsewhere = join(folder, 'elsewhere');
    await writeFile(elsewhere, 'mine');
    const { digest } = server.asset;
    await symlink(elsewhere, join(folder, `.press.img.${digest.slice(7, 23)}.corral-part`));
    await expect(download()).rejects.toMatchObject({ fault: 'Local' });
    expect(await readFile(elsewhere, 'utf8')).toBe('mine');
  });

  test('cannot be a folder', async () => {
    await expect(download({ target: folder })).rejects.toThrow(/is a folder\.$/);
  });

  test('may be empty', async () => {
    await server.stop();
    server = await AssetServer.start(Buffer.alloc(0));
    expect(await download()).toEqual({ status: 'downloaded', path: target, fetchedBytes: 0 });
    expect(await readFile(target)).toHaveLength(0);
  });
});
