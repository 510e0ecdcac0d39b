import { join } from 'node:path';
import { createDiskStorage } from '../assets/disk/disk-storage.ts';
import { createStorages, type Storages } from '../assets/storages.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../log/log.ts';

/** No write takes longer, so an older temporary file was left behind by a crash. */
const maxWriteMs = 24 * 3_600_000;

/** Opens the storages of assets and removes what a crash left in the data folder. */
export async function openStorages({ dataDir }: Config, log: Log): Promise<Storages> {
  const disk = createDiskStorage(join(dataDir, 'assets'));
  const removed = await disk.sweep(new Date(Date.now() - maxWriteMs));
  if (removed > 0) log.info({ files: removed }, 'removed unfinished writes of assets from before a crash');
  return createStorages(disk);
}
