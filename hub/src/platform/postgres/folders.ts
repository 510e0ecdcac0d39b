import { spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, open, readdir, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { dataFolderMessage, makeDataFolder } from '../files/data-folder.ts';
import { type Account, chooseAccount, isRoot } from './account.ts';
import { PostgresStartError } from './PostgresStartError.ts';

/** The paths of the embedded PostgreSQL. Only `cluster` belongs to PostgreSQL's account, the rest to the hub's. */
export interface Folders {
  dataDir: string;
  root: string;
  cluster: string;
  programs: string;
  passwordFile: string;
  logFile: string;
}

/** Creates the folders under the hub's data folder and chooses the account. Rejects with a sentence that names CORRAL_DATA_DIR. */
export async function prepareFolders(
  dataDir: string,
): Promise<{ folders: Folders; account: Account | undefined }> {
  try {
    await makeDataFolder(dataDir, isRoot() ? 0o711 : 0o700);
    const folders = foldersUnder(await realpath(dataDir));
    const owner = await stat(folders.cluster).catch(() => undefined);
    refuseForeignOwner(folders, owner?.uid);
    const account = chooseAccount(owner);
    await mkdir(folders.root, { mode: 0o700 }).catch(ignoreExisting);
    if (account) await allowTraversal(folders, account);
    return { folders, account };
  } catch (error) {
    throw asDataDirError(error, dataDir);
  }
}

/** Turns a failed file operation into the sentence that names CORRAL_DATA_DIR; other errors are returned unchanged. */
export function asDataDirError(error: unknown, dataDir: string): unknown {
  const sentence = dataFolderMessage(error, dataDir);
  return sentence === undefined ? error : new PostgresStartError(sentence, { cause: error });
}

/** Removes the temporary files of an interrupted start. The caller must hold the folder's lock. */
export async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.includes('.unfinished-')) {
      await rm(join(folder, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    }
  }
}

/** Syncs a folder, so that new and renamed entries survive a power loss. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

function foldersUnder(dataDir: string): Folders {
  const root = join(dataDir, 'postgres');
  return {
    dataDir,
    root,
    cluster: join(root, 'cluster'),
    programs: join(root, 'programs'),
    passwordFile: join(root, 'password'),
    logFile: join(root, 'postgres.log'),
  };
}

function refuseForeignOwner({ cluster }: Folders, uid: number | undefined): void {
  if (uid === undefined || (isRoot() ? uid !== 0 : uid === process.getuid?.())) return;
  const why = isRoot() ? 'root, as whom PostgreSQL refuses to run' : 'another user';
  throw new PostgresStartError(
    `CORRAL_DATA_DIR: the folder ${cluster} belongs to ${why}: change its owner with chown -R.`,
  );
}

/** Gives PostgreSQL's account search permission on the hub's two folders. Folders above them are the operator's. */
async function allowTraversal({ dataDir, root }: Folders, account: Account): Promise<void> {
  for (const folder of [dataDir, root]) {
    const { uid, gid, mode } = await stat(folder);
    if (uid !== 0 || mode & 0o001 || (gid === account.gid && mode & 0o010)) continue;
    if (mode & 0o070) {
      await chmod(folder, (mode & 0o7777) | 0o001);
    } else {
      await chown(folder, 0, account.gid);
      await chmod(folder, (mode & 0o7777) | 0o010);
    }
  }
  refuseUnreachable(root, account);
}

function refuseUnreachable(folder: string, account: Account): void {
  const path: string[] = [];
  for (let step = folder; ; step = dirname(step)) {
    path.unshift(step);
    if (step === dirname(step)) break;
  }
  const probe = 'for step; do [ -x "$step" ] || { printf %s "$step"; exit 1; }; done';
  const { uid, gid, name } = account;
  const { status, stdout, error } = spawnSync('/bin/sh', ['-c', probe, 'probe', ...path], {
    cwd: '/',
    env: {},
    uid,
    gid,
  });
  if (error)
    throw new PostgresStartError(
      `The hub is root but may not start PostgreSQL as the user ${name}: ${error.message}.`,
    );
  if (status === 0) return;
  throw new PostgresStartError(
    `CORRAL_DATA_DIR: PostgreSQL runs as the user ${name}, who cannot enter ${stdout.toString()}: choose a data folder that this user can reach, such as /var/lib/corral.`,
  );
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
