import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder, by default for the hub's user only, and those above it; resolves with those that were missing. Node's own recursive
 * `mkdir` never returns below /proc.
 */
export async function makeFolder(folder: string, mode = 0o700): Promise<string[]> {
  return makeOne(folder, mode).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || dirname(folder) === folder) throw error;
    return [...(await makeFolder(dirname(folder), mode)), ...(await makeOne(folder, mode))];
  });
}

async function makeOne(folder: string, mode: number): Promise<string[]> {
  try {
    await mkdir(folder, { mode });
    return [folder];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return [];
    throw error;
  }
}
