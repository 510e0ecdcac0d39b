import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { PostgresStartError } from './PostgresStartError.ts';
import { findClusterProcesses, isTaken, readPostmasterFile, signalIfAlive } from './process-table.ts';

/** The signals for a live server of an earlier hub in order, and how long each may take. */
const ways: { signal: NodeJS.Signals; timeoutMs: number }[] = [
  { signal: 'SIGINT', timeoutMs: 20_000 },
  { signal: 'SIGQUIT', timeoutMs: 5_000 },
  { signal: 'SIGKILL', timeoutMs: 5_000 },
];

const repeatEveryMs = 1_000;

/**
 * Ensures that no server uses the cluster: stops the server of a killed hub and waits until all its processes have ended. Then removes
 * postmaster.pid if PostgreSQL would mistake it for that of a live server; otherwise it stays, since PostgreSQL uses it to check that no
 * shared memory is in use. Resolves to whether a server was still running.
 */
export async function stopOrphanedServer(clusterFolder: string): Promise<'none' | 'stopped'> {
  let found: 'none' | 'stopped' = 'none';
  // Looks again until none is left: the server of a hub that was killed while it started it enters the folder late.
  for (let live = await findLive(clusterFolder); live.length > 0; live = await findLive(clusterFolder)) {
    found = 'stopped';
    if (await stopLive(clusterFolder)) continue;
    throw new PostgresStartError(
      `The PostgreSQL of an earlier hub (process ${live[0]}) does not stop: end it by hand.`,
    );
  }
  if (await isMisleading(clusterFolder)) await rm(join(clusterFolder, 'postmaster.pid'), { force: true });
  return found;
}

/** Signals the live processes until none is left; false if some outlive every signal. */
async function stopLive(clusterFolder: string): Promise<boolean> {
  for (const { signal, timeoutMs } of ways) {
    const deadline = performance.now() + timeoutMs;
    let left = await findLive(clusterFolder);
    // A starting process can miss a signal, so it is sent repeatedly; that does no harm.
    while (left.length > 0 && performance.now() < deadline) {
      await signalServer(clusterFolder, left, signal);
      await waitUntilGone(clusterFolder, repeatEveryMs);
      left = await findLive(clusterFolder);
    }
    if (left.length === 0) return true;
  }
  return false;
}

/** Whether the file's process id belongs to an unrelated process or a zombie, or the file is empty. */
async function isMisleading(clusterFolder: string): Promise<boolean> {
  const named = await readPostmasterFile(clusterFolder);
  if (named) return isTaken(named.pid);
  const file = await stat(join(clusterFolder, 'postmaster.pid')).catch(() => undefined);
  return file?.size === 0;
}

async function findLive(clusterFolder: string): Promise<number[]> {
  return findClusterProcesses(clusterFolder, (await readPostmasterFile(clusterFolder))?.pid);
}

/**
 * The postmaster stops its children itself. Children that outlived it get SIGQUIT or SIGKILL each: they have nothing to save, since all
 * acknowledged commits are in the WAL.
 */
async function signalServer(clusterFolder: string, live: number[], signal: NodeJS.Signals): Promise<void> {
  const postmaster = (await readPostmasterFile(clusterFolder))?.pid;
  if (postmaster !== undefined && live.includes(postmaster) && signal !== 'SIGKILL') {
    signalIfAlive(postmaster, signal);
  } else {
    for (const pid of live) signalIfAlive(pid, signal === 'SIGINT' ? 'SIGQUIT' : signal);
  }
}

/** Polls, since there are no exit events for processes that are not children. */
async function waitUntilGone(clusterFolder: string, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    if ((await findLive(clusterFolder)).length === 0) return;
    await delay(15);
  }
}
