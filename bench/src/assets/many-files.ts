import { Agent } from 'node:http';
import { barLine, type Line } from '../table.ts';
import type { Testbed } from '../testbed.ts';
import { content } from './content.ts';
import { assetClient, get, seconds, type AssetClient } from './transfers.ts';

const smallFiles = 1_000;
const smallBytes = 4_096;
const callers = 16;
const downloads = 200;
const sharedBytes = 16 * 1024 * 1024;

/** Uploads and downloads of small files over kept connections. */
export async function smallAssets({ user }: Testbed): Promise<Line[]> {
  const client = await assetClient(user, 'small');
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const contents = Array.from({ length: smallFiles }, (_, index) => content(smallBytes, 1_000 + index));
  const assetIds: Awaited<ReturnType<AssetClient['upload']>>[] = [];
  const up = await seconds(() =>
    inParallel(contents, async (one, index) => void (assetIds[index] = await client.upload(one, agent))),
  );
  const urls: string[] = [];
  await inParallel(
    assetIds,
    async (assetId, index) => void (urls[index] = await client.downloadUrl(assetId)),
  );
  const down = await seconds(() => inParallel(urls, (url) => get(url, smallBytes, { agent })));
  agent.destroy();
  client.close();
  return [
    atLeast(`assets of 4 KiB, uploads by ${callers} callers`, smallFiles / up, 300),
    atLeast(`assets of 4 KiB, downloads by ${callers} callers`, smallFiles / down, 1_000),
  ];
}

/** How evenly 200 downloads at once proceed: what each has when half of all bytes have arrived. */
export async function fairDownloads({ user }: Testbed): Promise<Line[]> {
  const client = await assetClient(user, 'shared');
  const url = await client.downloadUrl(await client.upload(content(sharedBytes, 4)));
  const agent = new Agent({ keepAlive: true, maxSockets: downloads });
  const received = Array.from({ length: downloads }, () => 0);
  let total = 0;
  let halfway: number[] | undefined;
  const one = (_: number, index: number): Promise<void> =>
    get(url, sharedBytes, {
      agent,
      onBytes(count) {
        received[index] = (received[index] ?? 0) + count;
        total += count;
        if (total * 2 >= downloads * sharedBytes) halfway ??= [...received];
      },
    });
  await Promise.all(received.map(one));
  agent.destroy();
  client.close();
  const mean = (halfway ?? []).reduce((sum, bytes) => sum + bytes, 0) / downloads;
  const farthest = Math.max(...(halfway ?? []).map((bytes) => Math.abs(bytes - mean)));
  const ours = (farthest / mean) * 100;
  return [
    barLine({
      what: `${downloads} downloads at once, farthest from the mean at half time`,
      unit: '%',
      ours,
      bar: 20,
    }),
  ];
}

function atLeast(what: string, ours: number, bar: number): Line {
  return { what, unit: '/s', ours, goal: `≥ ${bar} /s`, isMet: ours >= bar };
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
