import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const memoryMount = '/dev/shm';
const neededBytes = 4 * 1024 ** 3;

/** Creates a temporary folder in memory, for fast writes; on the disk if there is too little memory or the mount forbids executables. */
export async function newMemoryFolder(): Promise<string> {
  if (!(await isUsable())) return mkdtemp(join(tmpdir(), 'corral-test-'));
  await removeAbandoned();
  return mkdtemp(join(memoryMount, `corral-test-${process.pid}-`));
}

async function isUsable(): Promise<boolean> {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '');
  const options = /^\S+ \/dev\/shm tmpfs (\S+)/m.exec(mounts)?.[1]?.split(',');
  if (options === undefined || options.includes('noexec')) return false;
  const { bavail, bsize } = await statfs(memoryMount);
  return Math.min(bavail * bsize, freemem()) >= neededBytes;
}

/** Removes the folders of killed runs, which would use memory until the machine restarts. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(memoryMount)) {
    const pid = /^corral-test-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      await rm(join(memoryMount, name), { recursive: true, force: true });
  }
}
