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
 * One hub per folder, held by the kernel: a claim is a listening Unix socket in the folder, so it is live exactly as long as its
 * process is, however that ends and in whichever container it runs, and a process id that was given away again cannot fool us.
 *
 * Every hub has a name of its own, so removing a dead claim can never hit a live one. A claim is first entered (.claim) and turned
 * into the lock (.lock) when no other is live; of two that enter at once, the smaller name waits and the greater one gives up.
 */
export interface FolderLock {
  release(): Promise<void>;
}

/** Takes the lock of a folder; throws a sentence that names CORRAL_DATA_DIR when another live hub has it. */
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
    await listenIn(folder, `${name}.entering`, server); // Between bind and listen a socket looks dead: nobody looks at this name.
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
  // A folder that changes while it is read may hide a renamed entry once, so two readings have to agree.
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

/** The live claims of others; dead ones are removed on the way. */
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

/** Says whether a process listens on a Unix socket; every answer but a refusal counts as yes. */
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

/** Socket addresses are short: a long folder is reached through a symbolic link for the moment that bind or connect takes. */
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
