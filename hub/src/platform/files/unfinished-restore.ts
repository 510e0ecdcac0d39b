import { randomBytes } from 'node:crypto';
import { access, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDataFolder } from './data-folder.ts';

const fileOf = (dataDir: string): string => join(dataDir, 'restore.unfinished');

/** Whether a restore into the data folder has begun and not ended. */
export async function hasUnfinishedRestore(dataDir: string): Promise<boolean> {
  return access(fileOf(dataDir)).then(
    () => true,
    () => false,
  );
}

/** Marks the data folder as one that no hub may start on, until `endRestore`; makes it if it is missing. Resolves with the id of the restore, which it keeps until it ends, however often it is interrupted. */
export async function beginRestore(dataDir: string): Promise<string> {
  const begun = await idOfUnfinished(dataDir);
  if (begun !== undefined) return begun;
  const id = randomBytes(16).toString('hex');
  await makeDataFolder(dataDir);
  await writeFile(fileOf(dataDir), `A restore into this folder has begun and not ended.\nid: ${id}\n`, {
    mode: 0o600,
    flush: true,
  });
  return id;
}

/** Undefined also for a mark without one: of an earlier release, or cut off while it was written. */
async function idOfUnfinished(dataDir: string): Promise<string | undefined> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch(() => '');
  return /^id: ([0-9a-f]{32})$/m.exec(text)?.[1];
}

/** Removes the mark. */
export async function endRestore(dataDir: string): Promise<void> {
  await rm(fileOf(dataDir), { force: true });
}

/** Throws an Error with a sentence for the operator if the data folder is marked. */
export async function refuseUnfinishedRestore(dataDir: string): Promise<void> {
  if (await hasUnfinishedRestore(dataDir))
    throw new Error(
      `CORRAL_DATA_DIR: a restore into ${dataDir} has not ended: run it again; or, to give it up, use another data folder or remove the file ${fileOf(dataDir)}.`,
    );
}
