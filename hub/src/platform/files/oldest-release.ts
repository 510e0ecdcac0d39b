import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../log/log.ts';

/** Writes down the oldest release that can run on the database, which packages of the hub read before they replace a newer release; the hub itself looks at the database. */
export async function noteOldestRelease(dataDir: string, release: string, log: Log): Promise<void> {
  const file = join(dataDir, 'oldest-release');
  const unfinished = `${file}.unfinished`;
  try {
    if ((await readFile(file, 'utf8').catch(() => '')) === `${release}\n`) return;
    // A full disk leaves the file as it was.
    await writeFile(unfinished, `${release}\n`);
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    // A hub with a server may have no data folder.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      log.warn({ err: error }, 'the oldest release that can run here was not noted');
  }
}
