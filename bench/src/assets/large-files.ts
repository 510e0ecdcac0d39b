import { nginxFiles } from '../anchors/nginx-files.ts';
import { residentBytes, sleep } from '../processes.ts';
import { barLine, line, type Line } from '../table.ts';
import type { Testbed } from '../testbed.ts';
import { content } from './content.ts';
import { assetClient, get, put, seconds, verifying } from './transfers.ts';

const mebibyte = 1024 * 1024;
const sizeBytes = 1024 * mebibyte;
const hugeBytes = 5 * 1024 * mebibyte;
const mostMoreMiB = 150;

/** Upload and download of 1 GiB through the hub, beside nginx on the same disk. */
export async function largeFiles(testbed: Testbed): Promise<Line[]> {
  const nginx = await nginxFiles();
  try {
    const client = await assetClient(testbed.user, 'large');
    const [warmUp, file] = [content(64 * mebibyte, 1), content(sizeBytes, 2)];
    const anchorUrl = `http://127.0.0.1:${nginx.port}`;
    await put(`${anchorUrl}/warm-up`, warmUp);
    await client.upload(warmUp);
    const anchorUp = await seconds(() => put(`${anchorUrl}/file`, file));
    let assetId: Awaited<ReturnType<typeof client.upload>> | undefined;
    const up = await seconds(async () => void (assetId = await client.upload(file)));
    const url = await client.downloadUrl(assetId as never);
    const anchorDown = await seconds(() => get(`${anchorUrl}/file`, sizeBytes));
    const down = await seconds(() => get(url, sizeBytes, { headers: verifying }));
    client.close();
    const mibps = (elapsed: number): number => sizeBytes / mebibyte / elapsed;
    return [
      line({
        what: 'an asset of 1 GiB, upload',
        unit: 'MiB/s',
        ours: mibps(up),
        anchor: mibps(anchorUp),
        anchorName: 'nginx dav, which neither hashes nor flushes',
      }),
      line({
        what: 'an asset of 1 GiB, download',
        unit: 'MiB/s',
        ours: mibps(down),
        anchor: mibps(anchorDown),
        anchorName: 'nginx, static file',
      }),
    ];
  } finally {
    await nginx.stop();
  }
}

/** The memory that the hub takes at most while 5 GiB are uploaded and downloaded. */
export async function hugeFile(testbed: Testbed): Promise<Line[]> {
  const client = await assetClient(testbed.user, 'huge');
  const hub = await testbed.restart();
  await sleep(2_000);
  const idle = residentBytes(hub.program.pid);
  let highest = idle;
  const sampling = setInterval(() => {
    highest = Math.max(highest, residentBytes(hub.program.pid));
  }, 50);
  try {
    const assetId = await client.upload(content(hugeBytes, 3));
    await get(await client.downloadUrl(assetId), hugeBytes);
  } finally {
    client.close();
    clearInterval(sampling);
  }
  const ours = (highest - idle) / mebibyte;
  return [
    barLine({
      what: 'an asset of 5 GiB up and down, memory above idle',
      unit: 'MiB',
      ours,
      bar: mostMoreMiB,
    }),
  ];
}
