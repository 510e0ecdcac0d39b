import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes down the oldest release that can run on the database, which packages of the hub read before they replace a newer release. */
export async function noteOldestRelease(dataDir: string, release: string): Promise<void> {
  await writeFile(join(dataDir, 'oldest-release'), `${release}\n`);
}
