import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Line } from '../table.ts';
import { hubCommand } from './hub-command.ts';
import { run } from './plain-tools.ts';

/** Where a bit flips: the files that may be hit, by their paths in the backup. */
const targets: Readonly<Record<string, RegExp>> = {
  'an asset': /^assets\/objects\//,
  'the rows of a table': /\.copy\.zst$/,
  'the manifest': /^manifest\.json$/,
};

/** Flips one bit at a random place in each kind of file, in a copy of the backup. Rejects unless a restore says which file it is, fails, and writes nothing. */
export async function flippedBits(backup: string, folder: string): Promise<Line> {
  const kinds = Object.entries(targets);
  for (const [kind, files] of kinds) {
    const copy = join(folder, 'flipped');
    // Files of a backup are replaced and never changed, so links do for all but one.
    await run('cp', ['-al', backup, copy]);
    await refusesFlip(copy, await anyFile(copy, files), kind, join(folder, 'never'));
    await rm(copy, { recursive: true });
  }
  return {
    what: `one bit flips in ${Object.keys(targets).join(', ')}: a restore names the file, fails, and writes nothing`,
    unit: `of ${kinds.length}`,
    ours: kinds.length,
    goal: 'all',
    isMet: true,
  };
}

async function refusesFlip(copy: string, path: string, kind: string, target: string): Promise<void> {
  const bit = await flipBit(join(copy, path));
  const { code, output } = await hubCommand(['restore', copy], { CORRAL_DATA_DIR: target });
  const faults = [
    ...(code === 0 || code === null ? [`it ended with ${code}`] : []),
    ...(output.includes(path) ? [] : ['it did not name the file']),
    ...(existsSync(target) ? ['it made the data folder'] : []),
  ];
  if (faults.length > 0)
    throw new Error(
      `A restore after bit ${bit} of ${path} (${kind}) flipped: ${faults.join(', ')}.\n${output}`,
    );
}

async function anyFile(folder: string, files: RegExp): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => files.test(path));
  return paths[randomInt(paths.length)] ?? '';
}

/** Replaces a file by one with one other bit. Resolves with its index. */
async function flipBit(path: string): Promise<number> {
  const changed = `${path}.changed`;
  await copyFile(path, changed);
  await using file = await open(changed, 'r+');
  const bit = randomInt((await file.stat()).size * 8);
  const byte = Buffer.alloc(1);
  await file.read(byte, 0, 1, Math.floor(bit / 8));
  byte.writeUInt8(byte.readUInt8() ^ (1 << (bit % 8)));
  await file.write(byte, 0, 1, Math.floor(bit / 8));
  await rename(changed, path);
  return bit;
}
