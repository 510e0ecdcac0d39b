import { chown, lstat, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Account } from './account.ts';
import type { Folders } from './folders.ts';

/** The maximum length of a Unix socket address in bytes: 107 on Linux, 103 on macOS. */
const maxAddressBytes = 103;

/** The file name of PostgreSQL's socket, which contains the port number. */
const socketName = '.s.PGSQL.5432';

/** Whether the address of a socket with this name in this folder is short enough. */
export function fitsSocket(folder: string, name: string): boolean {
  return Buffer.byteLength(join(folder, name)) <= maxAddressBytes;
}

/**
 * Creates the folder (0700, PostgreSQL's account) for the server's socket: beside the cluster, or in the temporary directory if the data
 * folder's path is too long. Removes the socket of a dead server; the caller must have checked that it is dead.
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

/** The folder of the socket of a server that runs on this data folder; undefined if none listens. */
export async function findSocketFolder(root: string): Promise<string | undefined> {
  const noted = await readFile(join(root, 'socket-folder'), 'utf8').catch(() => undefined);
  const folder = noted ?? join(root, 'run');
  const found = await lstat(join(folder, socketName)).catch(() => undefined);
  return found?.isSocket() === true ? folder : undefined;
}

/** Removes the socket and the lock file of a killed server, which a new server could mistake for those of a live one. */
export async function clearSocket(folder: string): Promise<void> {
  await rm(join(folder, socketName), { force: true });
  await rm(join(folder, `${socketName}.lock`), { force: true });
}

async function makeTemporary(folders: Folders, account: Account | undefined): Promise<string> {
  // PostgreSQL's account may not have access to root's temporary directory.
  const isUsable = !account && fitsSocket(tmpdir(), `corral-000000/${socketName}`);
  const parent = isUsable ? tmpdir() : '/tmp';
  const folder = await mkdtemp(join(parent, 'corral-'));
  await writeFile(noteOf(folders), folder, { mode: 0o600 });
  return folder;
}

/** Removes the temporary folder, if there is one and it is still the hub's. The server must have ended. */
export async function removeTemporary(folders: Folders, account: Account | undefined): Promise<void> {
  const folder = await readFile(noteOf(folders), 'utf8').catch(() => undefined);
  if (!folder) return;
  const found = await lstat(folder).catch(() => undefined);
  const isOwn = found?.isDirectory() && found.uid === (account?.uid ?? process.getuid?.());
  if (isOwn) await rm(folder, { recursive: true, force: true });
  await rm(noteOf(folders), { force: true });
}

/** The file with the path of the temporary folder, so that the next start can remove the folder of a killed hub. */
function noteOf({ root }: Folders): string {
  return join(root, 'socket-folder');
}
