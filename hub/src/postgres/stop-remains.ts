import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { PostgresStartError } from './PostgresStartError.ts';
import { findClusterProcesses, isTaken, readPostmasterFile, signalIfAlive } from './process-table.ts';

/** How long a live server of an earlier hub may take for each way of stopping, in order. */
const ways: { signal: NodeJS.Signals; patienceMs: number }[] = [
  { signal: 'SIGINT', patienceMs: 20_000 },
  { signal: 'SIGQUIT', patienceMs: 5_000 },
  { signal: 'SIGKILL', patienceMs: 5_000 },
];

const repeatEveryMs = 1_000;

/** Whether anything was still alive, so that the caller can say so. */
export type Remains = 'none' | 'stopped';

/**
 * Makes sure that no server works on the cluster: stops the one of a hub that was killed and waits until all its processes are
 * gone. A postmaster.pid that PostgreSQL would then wrongly take for a live server's is removed; any other stays, since PostgreSQL
 * checks through it that no shared memory is in use.
 */
export async function stopRemains(clusterFolder: string): Promise<Remains> {
  let remains: Remains = 'none';
  for (const { signal, patienceMs } of ways) {
    const live = await findLive(clusterFolder);
    if (live.length === 0) break;
    remains = 'stopped';
    const deadline = performance.now() + patienceMs;
    // A process that is just starting may miss a signal, so it is sent again; a repeated one changes nothing.
    for (let left = live; left.length > 0 && performance.now() < deadline;) {
      await signalServer(clusterFolder, left, signal);
      await waitUntilGone(clusterFolder, repeatEveryMs);
      left = await findLive(clusterFolder);
    }
  }
  const live = await findLive(clusterFolder);
  if (live.length > 0) {
    throw new PostgresStartError(
      `The PostgreSQL of an earlier hub (process ${live[0]}) does not stop: end it by hand.`,
    );
  }
  if (await isMisleading(clusterFolder)) await rm(join(clusterFolder, 'postmaster.pid'), { force: true });
  return remains;
}

/** Its number belongs to a stranger or a zombie by now, or the server was killed before it had written one. */
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
 * The postmaster stops its children itself. Those that outlived it are told one by one, and at once to the point: they have no
 * more to save, since all that was acknowledged is in the log on disk.
 */
async function signalServer(clusterFolder: string, live: number[], signal: NodeJS.Signals): Promise<void> {
  const postmaster = (await readPostmasterFile(clusterFolder))?.pid;
  if (postmaster !== undefined && live.includes(postmaster) && signal !== 'SIGKILL') {
    signalIfAlive(postmaster, signal);
  } else {
    for (const pid of live) signalIfAlive(pid, signal === 'SIGINT' ? 'SIGQUIT' : signal);
  }
}

/** Strangers' processes send no event when they end, so they are looked for. */
async function waitUntilGone(clusterFolder: string, patienceMs: number): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    if ((await findLive(clusterFolder)).length === 0) return;
    await delay(15);
  }
}
