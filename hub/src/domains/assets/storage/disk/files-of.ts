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
      const file = await fileAt(folder, entry.name);
      if (file !== undefined) yield file;
    }
  } catch (error) {
    throw fileFault(error);
  }
}

/** At most so many files of a folder; quicker than `filesOf`, since they are looked at together. */
export async function someFilesOf(folder: string, most: number): Promise<readonly ListedObject[]> {
  const names: string[] = [];
  try {
    for await (const { name } of (await unlessAbsent(opendir(folder, { bufferSize: most }))) ?? []) {
      if (names.length === most) break;
      names.push(name);
    }
    const files = await Promise.all(names.map((name) => fileAt(folder, name)));
    return files.filter((file) => file !== undefined);
  } catch (error) {
    throw fileFault(error);
  }
}

async function fileAt(folder: string, name: string): Promise<ListedObject | undefined> {
  const file = await unlessAbsent(stat(join(folder, name)));
  return file?.isFile() === true ? { key: name, sizeBytes: file.size, modifiedAt: file.mtime } : undefined;
}
