import { randomBytes } from 'node:crypto';
import { chown, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Account } from './account.ts';
import { explainFailure } from './explain-failure.ts';
import { type Folders, syncFolder } from './folders.ts';
import { startGuarded } from './guarded-process.ts';
import { majorOf } from './locate-programs.ts';
import { PostgresStartError } from './PostgresStartError.ts';
import type { ServerLog } from './server-log.ts';

/** The only role and the database that the hub uses. */
export const role = 'corral';
export const database = 'postgres';

/** What initdb needs to know. */
export interface ClusterPlan {
  folders: Folders;
  account: Account | undefined;
  binFolder: string;
  version: string;
  log: ServerLog;
}

/** Returns the role's password, and creates the cluster if there is none. Rejects for a cluster of another major version. */
export async function ensureCluster(plan: ClusterPlan): Promise<{ password: string; isNew: boolean }> {
  const { folders, version } = plan;
  const found = await readFile(join(folders.cluster, 'PG_VERSION'), 'utf8').catch(ignoreMissing);
  if (found === undefined) return { password: await createCluster(plan), isNew: true };
  if (majorOf(found) !== majorOf(version)) {
    throw new PostgresStartError(
      `CORRAL_DATA_DIR: the database in ${folders.dataDir} was made by PostgreSQL ${majorOf(found)}, but this hub runs PostgreSQL ${majorOf(version)}: start the hub that made it, take a backup there and restore it here.`,
    );
  }
  return { password: await readPassword(folders), isNew: false };
}

async function readPassword({ passwordFile }: Folders): Promise<string> {
  const password = await readFile(passwordFile, 'utf8').catch(ignoreMissing);
  if (password) return password.trim();
  throw new PostgresStartError(
    `CORRAL_DATA_DIR: the file ${passwordFile} is missing, so the database can't be opened: restore it from a backup.`,
  );
}

/** Creates the cluster under a temporary name and renames it once it is complete and synced, so that an interrupted creation leaves no partial cluster. */
async function createCluster(plan: ClusterPlan): Promise<string> {
  const { folders, account } = plan;
  await refuseForeignFolder(folders);
  const nonce = randomBytes(6).toString('hex');
  const unfinished = join(folders.root, `cluster.unfinished-${nonce}`);
  const handover = join(folders.root, `password.unfinished-${nonce}`);
  const password = randomBytes(32).toString('base64url');
  try {
    await mkdir(unfinished, { mode: 0o700 });
    if (account) await chown(unfinished, account.uid, account.gid);
    await writeDurably(handover, password, account);
    await runInitdb(plan, unfinished, handover);
    await rm(handover);
    await writeDurably(`${handover}.kept`, password, undefined);
    await rename(`${handover}.kept`, folders.passwordFile);
    await rename(unfinished, folders.cluster);
    await syncFolder(folders.root);
    return password;
  } finally {
    await Promise.all(
      [unfinished, handover, `${handover}.kept`].map((path) => rm(path, { recursive: true, force: true })),
    );
  }
}

async function refuseForeignFolder({ cluster }: Folders): Promise<void> {
  if (!(await stat(cluster).catch(ignoreMissing))) return;
  throw new PostgresStartError(
    `CORRAL_DATA_DIR: the folder ${cluster} holds no PostgreSQL database: remove it, or restore it from a backup.`,
  );
}

async function writeDurably(path: string, text: string, owner: Account | undefined): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    if (owner) await file.chown(owner.uid, owner.gid);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function runInitdb(plan: ClusterPlan, target: string, passwordFile: string): Promise<void> {
  const { account, binFolder, folders, log, version } = plan;
  const start = log.sizeBytes();
  const args = ['-D', target, '-U', role, '--pwfile', passwordFile, '-A', 'scram-sha-256'];
  args.push('--data-checksums', '--no-instructions', '-E', 'UTF8', ...localeArguments(majorOf(version)));
  const initdb = await startGuarded({
    program: join(binFolder, 'initdb'),
    args,
    account,
    outputFd: log.fd,
    env: await accountOfAnyUser(folders),
  });
  const status = await initdb.exited;
  if (status !== 0) throw await explainFailure(log.since(start), folders, log.path);
}

/** initdb demands an account of its user, which a container that runs as any user lacks; the library nss_wrapper, which is in the hub's image, gives it one. */
async function accountOfAnyUser({ root }: Folders): Promise<Record<string, string>> {
  try {
    userInfo();
    return {};
  } catch {
    const [passwd, group] = [join(root, 'passwd'), join(root, 'group')];
    await writeFile(passwd, `corral:x:${process.getuid?.()}:${process.getgid?.()}::/:/bin/false\n`);
    await writeFile(group, `corral:x:${process.getgid?.()}:\n`);
    return { LD_PRELOAD: 'libnss_wrapper.so', NSS_WRAPPER_PASSWD: passwd, NSS_WRAPPER_GROUP: group };
  }
}

/** Sorts by code point, with case conversion beyond ASCII: by PostgreSQL's builtin provider since 17, by the system's C.UTF-8 before. */
function localeArguments(major: number): string[] {
  if (major >= 17) return ['--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'];
  return ['--locale', 'C', ...(process.platform === 'linux' ? ['--lc-ctype', 'C.UTF-8'] : [])];
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
