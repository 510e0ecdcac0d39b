import { execFile } from 'node:child_process';
import { type Stats, readFileSync } from 'node:fs';
import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Finds the live PostgreSQL processes of one cluster; hintPid is the process that postmaster.pid names.
 *
 * A process id is not enough, since ids are reused, and neither is a start time, which depends on the wall clock. Server processes are
 * identified by the cluster's folder: it is their working directory (Linux), or their command line contains it.
 */
export async function findClusterProcesses(
  clusterFolder: string,
  hintPid: number | undefined,
): Promise<number[]> {
  if (process.platform === 'linux') return findByWorkingFolder(clusterFolder);
  return hintPid !== undefined && (await namesFolder(hintPid, clusterFolder)) ? [hintPid] : [];
}

/** Whether the process id is in use, also by a zombie, an unrelated process or one that the hub may not signal. */
export function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Sends a signal; does nothing if the process has ended already. */
export function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function findByWorkingFolder(folder: string): Promise<number[]> {
  const cluster = await stat(folder).catch(() => undefined);
  if (!cluster) return [];
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger);
  const isOurs = await Promise.all(pids.map((pid) => isServerIn(pid, cluster)));
  return pids.filter((_, index) => isOurs[index]);
}

async function isServerIn(pid: number, cluster: Stats): Promise<boolean> {
  try {
    // An administrator's shell can have this working directory too, so the program's name must match as well.
    if (readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== 'postgres') return false;
    const working = await stat(`/proc/${pid}/cwd`);
    return working.ino === cluster.ino && working.dev === cluster.dev;
  } catch {
    return false; // The process has ended, is a zombie, or belongs to another user.
  }
}

async function namesFolder(pid: number, folder: string): Promise<boolean> {
  const ps = await promisify(execFile)('ps', ['-p', `${pid}`, '-o', 'command=']).catch(() => undefined);
  return ps !== undefined && ps.stdout.includes('postgres') && ps.stdout.includes(`-D ${folder} `);
}

/** The contents of postmaster.pid: the postmaster's process id and whether it accepts connections; undefined without a readable file. */
export async function readPostmasterFile(
  folder: string,
): Promise<{ pid: number; isReady: boolean } | undefined> {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number.parseInt(lines[0] ?? '', 10);
  return pid > 0 ? { pid, isReady: lines[7]?.trim() === 'ready' } : undefined;
}
