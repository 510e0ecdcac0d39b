import { randomBytes } from 'node:crypto';
import { access, link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileProblem } from '@corral/client/node';
import { AgentError } from '../AgentError.ts';

/** The text of a file; undefined when it does not exist. Throws an AgentError with one sentence. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined;
    throw new AgentError(`The file ${path} cannot be read: ${fileProblem(cause, path)}.`, { cause });
  }
}

/**
 * Writes a file, with its folder, where there is none or only an empty one. It appears under its name only once all of it is on the disk, so that neither a full disk
 * nor a power cut leaves a part of it. Throws an AgentError with one sentence.
 */
export function writeNew(path: string, text: string, mode: number): Promise<void> {
  const temporary = `.${basename(path)}.${randomBytes(6).toString('hex')}`;
  return writeVia(temporary, { path, text, mode }, async (written) => {
    await removeIfEmpty(path);
    await giveName(written, path);
  });
}

/** Like `writeNew`, but takes the place of a file of that name; only one process may do so. */
export function replaceOwn(path: string, text: string, mode: number): Promise<void> {
  return writeVia(`.${basename(path)}.new`, { path, text, mode }, (written) => rename(written, path));
}

interface OwnFile {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
}

async function writeVia(
  temporaryName: string,
  { path, text, mode }: OwnFile,
  name: (temporary: string) => Promise<void>,
): Promise<void> {
  const folder = dirname(path);
  const temporary = join(folder, temporaryName);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      // A power cut may have left it.
      await rm(temporary, { force: true });
      await writeSynced(temporary, text, mode);
      await name(temporary);
    } finally {
      await rm(temporary, { force: true });
    }
    await syncFolder(folder);
  } catch (cause) {
    throw new AgentError(`The file ${path} cannot be written: ${fileProblem(cause, path)}.`, { cause });
  }
}

async function writeSynced(path: string, text: string, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Earlier releases left an empty file where the first start was interrupted. */
async function removeIfEmpty(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() === true && found.size === 0) await rm(path);
}

/** What `link` fails with on a file system that has no hard links, such as FAT. */
const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** A link replaces no file that another process made meanwhile, which a renaming would. */
async function giveName(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
  } catch (cause) {
    if (!withoutLinks.has(codeOf(cause) ?? '')) throw cause;
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) throw Object.assign(new Error('another process has just made it'), { cause });
    await rename(temporary, path);
  }
}

/** Makes the new name survive a power cut, where the system can do that. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

const codeOf = (cause: unknown): string | undefined => (cause as NodeJS.ErrnoException).code;
