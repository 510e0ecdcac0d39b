import { chown, lstat, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Account } from './account.ts';
import type { Folders } from './folders.ts';

/** The address of a Unix socket is this long at most, in bytes: 107 on Linux, 103 on macOS. */
const maxAddressBytes = 103;

/** The file name that PostgreSQL gives its socket, after the port that it would have. */
const socketName = '.s.PGSQL.5432';

/** Says whether a socket of this name in this folder has an address that the system accepts. */
export function fitsSocket(folder: string, name: string): boolean {
  return Buffer.byteLength(join(folder, name)) <= maxAddressBytes;
}

/**
 * Makes the folder (0700, PostgreSQL's account) for the server's socket: beside the cluster, or a short one among the temporary
 * files when the data folder's path is too long. What a dead server left in it is removed; the caller made sure that it is dead.
 */
export async function prepareSocketFolder(folders: Folders, account: Account | undefined): Promise<string> {
  const beside = join(folders.root, 'run');
  const isBesideShort = fitsSocket(beside, socketName);
  await removeTemporary(folders, account);
  await rm(beside, { recursive: true, force: true });
  if (isBesideShort) {
    await mkdir(beside, { mode: 0o700 });
  }
  const folder = isBesideShort ? beside : await makeTemporary(folders, account);
  if (account) await chown(folder, account.uid, account.gid);
  return folder;
}

/** Removes the socket and its lock file, which a server that was killed leaves behind and a new one may take for a live one's. */
export async function clearSocket(folder: string): Promise<void> {
  await rm(join(folder, socketName), { force: true });
  await rm(join(folder, `${socketName}.lock`), { force: true });
}

async function makeTemporary(folders: Folders, account: Account | undefined): Promise<string> {
  // Root's own temporary folder may be closed to PostgreSQL's account.
  const isUsable = !account && fitsSocket(tmpdir(), `corral-000000/${socketName}`);
  const parent = isUsable ? tmpdir() : '/tmp';
  const folder = await mkdtemp(join(parent, 'corral-'));
  await writeFile(noteOf(folders), folder, { mode: 0o600 });
  return folder;
}

/** Removes the temporary folder, if one was made, unless somebody else has put something in its place; the server is gone. */
export async function removeTemporary(folders: Folders, account: Account | undefined): Promise<void> {
  const folder = await readFile(noteOf(folders), 'utf8').catch(() => undefined);
  if (!folder) return;
  const found = await lstat(folder).catch(() => undefined);
  const isOwn = found?.isDirectory() && found.uid === (account?.uid ?? process.getuid?.());
  if (isOwn) await rm(folder, { recursive: true, force: true });
  await rm(noteOf(folders), { force: true });
}

/** The file that says where the temporary folder is, so that a hub that was killed leaves none behind for good. */
function noteOf({ root }: Folders): string {
  return join(root, 'socket-folder');
}
