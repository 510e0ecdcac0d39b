import { open } from 'node:fs/promises';
import { Agent } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { nginxFiles } from '../anchors/nginx-files.ts';
import { barLine, type Line } from '../table.ts';
import type { Testbed } from '../testbed.ts';
import { content, type Content } from './content.ts';
import { assetClient, get, put, seconds, verifying, type AssetClient } from './transfers.ts';

const smallFiles = 1_000;
const smallBytes = 4_096;
const callers = 16;
const downloads = 200;
const sharedBytes = 32 * 1024 * 1024;

/** Uploads and downloads of small files over kept connections, after as many others, beside nginx on the same disk. */
export async function smallAssets({ user }: Testbed): Promise<Line[]> {
  const nginx = await nginxFiles();
  const client = await assetClient(user, 'small');
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const contents = Array.from({ length: smallFiles }, (_, index) => content(smallBytes, 1_000 + index));
  const others = contents.map((_, index) => content(smallBytes, 1_000 + smallFiles + index));
  const perSecond = async (work: (one: Content, index: number) => Promise<unknown>): Promise<number> =>
    smallFiles / (await seconds(() => inParallel(contents, work)));
  const anchorUrl = (index: number): string => `http://127.0.0.1:${nginx.port}/${index}`;
  try {
    const anchorUp = await perSecond(async (one, index) => {
      await put(anchorUrl(index), one, agent);
      await flush(nginx.pathOf(String(index)));
    });
    // A hub that has just started compiles what it runs; the figures are those of one that has worked before, as those of other loads.
    await inParallel(others, async (one) => {
      const url = await client.downloadUrl(await client.upload(one, agent));
      await get(url, smallBytes, { agent });
    });
    const assetIds: Awaited<ReturnType<AssetClient['upload']>>[] = [];
    const up = await perSecond(
      async (one, index) => void (assetIds[index] = await client.upload(one, agent)),
    );
    const urls: string[] = [];
    await inParallel(
      assetIds,
      async (assetId, index) => void (urls[index] = await client.downloadUrl(assetId)),
    );
    const anchorDown = await perSecond((_, index) => get(anchorUrl(index), smallBytes, { agent }));
    const down = await perSecond((_, index) => get(urls[index] ?? '', smallBytes, { agent }));
    return [
      atLeast(`assets of 4 KiB, uploads by ${callers} callers`, 300, up, {
        anchor: anchorUp,
        anchorName: 'nginx dav, then fdatasync; one request instead of three',
      }),
      atLeast(`assets of 4 KiB, downloads by ${callers} callers`, 1_000, down, {
        anchor: anchorDown,
        anchorName: 'nginx, static files',
      }),
    ];
  } finally {
    agent.destroy();
    client.close();
    await nginx.stop();
  }
}

async function flush(path: string): Promise<void> {
  await using file = await open(path);
  await file.datasync();
}

/** How evenly 200 downloads at once proceed, beside nginx with the same client. */
export async function fairDownloads({ user }: Testbed): Promise<Line[]> {
  const nginx = await nginxFiles();
  const client = await assetClient(user, 'shared');
  try {
    const shared = content(sharedBytes, 4);
    const url = await client.downloadUrl(await client.upload(shared));
    const anchorUrl = `http://127.0.0.1:${nginx.port}/shared`;
    await put(anchorUrl, shared);
    const anchor = await farthestFromMean(anchorUrl);
    const row = (what: string, ours: number): Line => ({
      ...barLine({ what: `${downloads} downloads at once, ${what}`, unit: '%', ours, bar: 20 }),
      anchor,
      anchorName: 'nginx, static file',
    });
    return [
      row('farthest from the mean at half time', await farthestFromMean(url)),
      row('the same by clients that check', await farthestFromMean(url, verifying)),
    ];
  } finally {
    client.close();
    await nginx.stop();
  }
}

/**
 * What each of the downloads receives from when all have begun until half of all bytes have arrived: how far the farthest is from the mean, in percent. The
 * clients read in turns, a piece each, since a process that reads one socket until it is empty would itself be what is unfair. None waits for the others to
 * begin: the system would keep the receive buffer of a connection that is not read small, and its pieces would be smaller from then on.
 */
async function farthestFromMean(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: downloads });
  const received = Array.from({ length: downloads }, () => 0);
  let [began, total] = [0, 0];
  let atBegin: number[] | undefined;
  let halfway: number[] | undefined;
  const take = async (index: number, count: number): Promise<void> => {
    if (received[index] === 0) began += 1;
    received[index] = (received[index] ?? 0) + count;
    total += count;
    if (began === downloads) atBegin ??= [...received];
    if (total * 2 >= downloads * sharedBytes) halfway ??= [...received];
    await nextTurn();
  };
  const one = (_: number, index: number): Promise<void> =>
    get(url, sharedBytes, { agent, headers, onBytes: (count) => take(index, count) });
  await Promise.all(received.map(one));
  agent.destroy();
  const shares = (halfway ?? []).map((bytes, index) => bytes - (atBegin?.[index] ?? 0));
  const mean = shares.reduce((sum, bytes) => sum + bytes, 0) / downloads;
  return (Math.max(...shares.map((bytes) => Math.abs(bytes - mean))) / mean) * 100;
}

function atLeast(
  what: string,
  bar: number,
  ours: number,
  anchor: { readonly anchor: number; readonly anchorName: string },
): Line {
  return { what, unit: '/s', ours, ...anchor, goal: `≥ ${bar} /s`, isMet: ours >= bar };
}

/** Runs work for each item, at most as many at once as there are callers. */
async function inParallel<Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const caller = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) await work(items[index] as Item, index);
  };
  await Promise.all(Array.from({ length: callers }, caller));
}
