import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ListedObject } from '../asset-storage.ts';
import { fileFault, unlessAbsent } from './file-faults.ts';

/** How many names are read at a time: all of a folder with 100,000 files would hold the event loop for some 30 ms. */
const namesAtOnce = 256;

/** The files of a folder, without those of its folders, in no order; none if there is no such folder. They may be removed meanwhile. Failures are StorageErrors. */
export async function* filesOf(folder: string): AsyncGenerator<ListedObject, void> {
  try {
    for await (const entry of (await unlessAbsent(opendir(folder, { bufferSize: namesAtOnce }))) ?? []) {
      const file = await unlessAbsent(stat(join(folder, entry.name)));
      if (file?.isFile() === true) yield { key: entry.name, sizeBytes: file.size, modifiedAt: file.mtime };
    }
  } catch (error) {
    throw fileFault(error);
  }
}
