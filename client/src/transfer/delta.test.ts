import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { AssetServer } from '../../test/asset-server.ts';
import { downloadAsset } from './download.ts';

const mib = 1_048_576;
const share = 0.03;
const { imageMib } = inject('figures');
const sizeBytes = imageMib * mib;

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'corral-delta-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Changes 3 % of an image: pieces of so many bytes, at equal distances but not at multiples of a MiB. */
function changed(image: Buffer, pieceBytes: number): Buffer {
  const copy = Buffer.from(image);
  const pieces = Math.max(1, Math.round((image.length * share) / pieceBytes));
  const distance = image.length / pieces;
  for (let piece = 0; piece < pieces; piece += 1) {
    const start = Math.floor((piece + 0.5) * distance - pieceBytes / 2);
    randomBytes(pieceBytes).copy(copy, start);
  }
  return copy;
}

// docs/software-repositories.md has these figures for 1 GiB, as `npm run test:deep` prints them.
test.each([
  { what: 'one piece', pieceBytes: sizeBytes * share, most: (changedMib: number) => changedMib + 2 },
  { what: 'pieces of 1 MiB', pieceBytes: mib, most: (changedMib: number) => 2 * changedMib + 2 },
  { what: 'pieces of 64 KiB', pieceBytes: 65_536, most: () => 0.55 * imageMib },
  { what: 'pieces of 4 KiB', pieceBytes: 4_096, most: () => imageMib },
])(
  'only the changed MiB of an image with changes in $what are fetched',
  async ({ what, pieceBytes, most }) => {
    const old = randomBytes(sizeBytes);
    const server = await AssetServer.start(changed(old, Math.round(pieceBytes)));
    const target = join(folder, 'press.img');
    await writeFile(target, old);
    const { fetchedBytes } = await downloadAsset(server.asset, {
      executor: server.executor,
      http: server.http,
      target,
    });
    expect(fetchedBytes).toBe(server.sentBytes);
    expect(fetchedBytes / mib).toBeLessThanOrEqual(most(imageMib * share));
    expect((await readFile(target)).equals(server.bytes)).toBe(true);
    const percent = ((100 * fetchedBytes) / sizeBytes).toFixed(1);
    process.stdout.write(
      `${what}: ${(fetchedBytes / mib).toFixed(0)} of ${imageMib} MiB fetched, ${percent} %, in ${server.ranges.length} requests\n`,
    );
    await server.stop();
  },
);
