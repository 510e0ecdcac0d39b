import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rename, rm, symlink } from 'node:fs/promises';
import { type Server, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fitsSocket } from './socket-folder.ts';
import { PostgresStartError } from './PostgresStartError.ts';

/**
 * Locks a folder for one hub. A claim is a listening Unix socket in the folder, so the kernel ends it together with its process, also
 * across containers, and a reused process id does not matter.
 *
 * Each hub uses a unique file name, so removing a dead claim never removes a live one. A hub first creates a claim (.claim) and renames it
 * to the lock (.lock) when no other claim is live. Of two concurrent claims, the one with the smaller name waits and the other fails.
 */
export interface FolderLock {
  release(): Promise<void>;
}

/** Locks a folder. Rejects with a sentence that names CORRAL_DATA_DIR when another running hub holds the lock. */
export async function lockFolder(folder: string, dataDir: string): Promise<FolderLock> {
  const name = `hub-${process.pid}-${randomBytes(6).toString('hex')}`;
  const server = createServer((socket) => socket.destroy()).unref();
  const entering = join(folder, `${name}.entering`);
  const claim = join(folder, `${name}.claim`);
  const lock = join(folder, `${name}.lock`);
  const release = async (): Promise<void> => {
    await Promise.all([entering, claim, lock].map((file) => rm(file, { force: true })));
    server.close();
  };
  try {
    await listenIn(folder, `${name}.entering`, server); // Between bind and listen a socket looks dead, so it has a name that other hubs ignore.
    await rename(entering, claim);
    await waitForTurn(folder, name, dataDir);
    await rename(claim, lock);
    return { release };
  } catch (error) {
    await release();
    throw error;
  }
}

async function waitForTurn(folder: string, name: string, dataDir: string): Promise<void> {
  // Reading a folder while it changes can miss a renamed entry, so two reads must agree.
  for (let clearReadings = 0; clearReadings < 2;) {
    const rivals = await findRivals(folder, name);
    const winner = rivals.find((rival) => rival.endsWith('.lock') || rival < name);
    if (winner) throw new PostgresStartError(refusal(winner, dataDir));
    clearReadings = rivals.length === 0 ? clearReadings + 1 : 0;
    if (rivals.length > 0) await delay(10);
  }
}

function refusal(winner: string, dataDir: string): string {
  return `CORRAL_DATA_DIR: the folder ${dataDir} is in use by another running hub (process ${winner.split('-')[1]}).`;
}

/** The live claims of other hubs. Dead ones are removed. */
async function findRivals(folder: string, ownName: string): Promise<string[]> {
  const claims = (await readdir(folder)).filter(
    (file) => /^hub-.*\.(claim|lock)$/.test(file) && !file.startsWith(ownName),
  );
  if (claims.length === 0) return [];
  return withShortPath(folder, async (short) => {
    const live: string[] = [];
    for (const claim of claims) {
      if (await isListening(join(short, claim))) live.push(claim);
      else await rm(join(folder, claim), { force: true });
    }
    return live;
  });
}

/** Whether a process listens on a Unix socket; any result except a refused connection counts as yes. */
async function isListening(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    return !['ECONNREFUSED', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '');
  } finally {
    socket.destroy();
  }
}

async function listenIn(folder: string, file: string, server: Server): Promise<void> {
  await withShortPath(folder, async (short) => {
    server.listen(join(short, file));
    await once(server, 'listening');
  });
}

/** The length of socket addresses is limited: for a long path, bind and connect use a temporary symbolic link. */
async function withShortPath<T>(folder: string, use: (folder: string) => Promise<T>): Promise<T> {
  if (fitsSocket(folder, 'hub-4194304-0123456789ab.entering')) return use(folder);
  const shortcut = await mkdtemp(
    join(fitsSocket(tmpdir(), '0123456789'.repeat(5)) ? tmpdir() : '/tmp', 'corral-'),
  );
  try {
    await symlink(folder, join(shortcut, 'f'));
    return await use(join(shortcut, 'f'));
  } finally {
    await rm(shortcut, { recursive: true, force: true });
  }
}
