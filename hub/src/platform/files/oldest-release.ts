import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../log/log.ts';

/** Writes down the oldest release that can run on the database, which packages of the hub read before they replace a newer release; the hub itself looks at the database. */
export async function noteOldestRelease(dataDir: string, release: string, log: Log): Promise<void> {
  await writeFile(join(dataDir, 'oldest-release'), `${release}\n`).catch((error: NodeJS.ErrnoException) => {
    // A hub with a server may have no data folder.
    if (error.code !== 'ENOENT')
      log.warn({ err: error }, 'the oldest release that can run here was not noted');
  });
}
