import { open } from 'node:fs/promises';
import { Agent } from 'node:http';
import { nginxFiles } from '../anchors/nginx-files.ts';
import { leastLine, line, type Line } from '../table.ts';
import type { Testbed } from '../testbed.ts';
import { content, type Content } from './content.ts';
import { assetClient, get, put, seconds, type AssetClient } from './transfers.ts';

const smallFiles = 1_000;
const smallBytes = 4_096;
const callers = 16;

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
    return smallLines({ up, anchorUp, down, anchorDown });
  } finally {
    agent.destroy();
    client.close();
    await nginx.stop();
  }
}

/** The lines of small files, from files a second of the hub and of nginx. */
function smallLines(rates: Record<'up' | 'anchorUp' | 'down' | 'anchorDown', number>): Line[] {
  return [
    leastLine({
      what: `assets of 4 KiB, uploads by ${callers} callers`,
      unit: '/s',
      ours: rates.up,
      anchor: rates.anchorUp,
      anchorName: 'nginx dav, then fdatasync; one request instead of three',
      bar: 100,
    }),
    line({
      what: `assets of 4 KiB, downloads by ${callers} callers`,
      unit: '/s',
      ours: rates.down,
      anchor: rates.anchorDown,
      anchorName: 'nginx, static files',
    }),
  ];
}

async function flush(path: string): Promise<void> {
  await using file = await open(path);
  await file.datasync();
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
