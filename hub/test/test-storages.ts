import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDiskStorage } from '../src/assets/disk/disk-storage.ts';
import { createStorages } from '../src/assets/storages.ts';

const folder = mkdtempSync(join(tmpdir(), 'corral-assets-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** The storages of all executors of a test worker, on disk. */
export const testStorages = createStorages(createDiskStorage(folder));
