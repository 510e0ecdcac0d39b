import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
const neededBytes = 4 * 1024 ** 3;

/**
 * Creates a temporary folder in memory, where nothing waits for a disk. Where there is too little of it, and where no programs may be run
 * from it, the folder is on the disk.
 */
export async function newMemoryFolder(): Promise<string> {
  if (!(await hasRoom())) return mkdtemp(join(tmpdir(), 'corral-test-'));
  await removeRemains();
  return mkdtemp(join(memory, `corral-test-${process.pid}-`));
}

async function hasRoom(): Promise<boolean> {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '');
  const options = /^\S+ \/dev\/shm tmpfs (\S+)/m.exec(mounts)?.[1]?.split(',');
  if (options === undefined || options.includes('noexec')) return false;
  const { bavail, bsize } = await statfs(memory);
  return Math.min(bavail * bsize, freemem()) >= neededBytes;
}

/** The folders of runs that were killed would take memory until the next start of the machine. */
async function removeRemains(): Promise<void> {
  for (const name of await readdir(memory)) {
    const pid = /^corral-test-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      await rm(join(memory, name), { recursive: true, force: true });
  }
}
