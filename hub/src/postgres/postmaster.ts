import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Account } from './account.ts';
import { explainFailure, isStillDraining } from './explain-failure.ts';
import type { Folders } from './folders.ts';
import { type GuardedProcess, startGuarded } from './guarded-process.ts';
import { PostgresStartError } from './PostgresStartError.ts';
import { readPostmasterFile, signalIfAlive } from './process-table.ts';
import type { ServerLog } from './server-log.ts';
import { serverArguments } from './settings.ts';
import { clearSocket } from './socket-folder.ts';
import { stopRemains } from './stop-remains.ts';

/** All that a start of the server needs, the same at every restart. */
export interface ServerPlan {
  folders: Folders;
  account: Account | undefined;
  binFolder: string;
  socketFolder: string;
  log: ServerLog;
}

/** One run of the server that accepts connections. */
export interface Postmaster {
  pid: number;
  /** The exit status, 128 + n after signal n. */
  exited: Promise<number>;
  /** Fast shutdown: open transactions are rolled back. Resolves when the server is gone, by force if need be. */
  stop(): Promise<void>;
}

/** Recovery after a crash replays at most some gigabytes of log; slower than this is broken. */
const startPatienceMs = 300_000;
const drainPatienceMs = 20_000;
const fastStopPatienceMs = 10_000;
const immediateStopPatienceMs = 5_000;
const pollEveryMs = 5;

/** Starts the server and resolves when it accepts connections; waits for processes of an earlier one to go, up to 20 s. */
export async function startPostmaster(plan: ServerPlan, signal: AbortSignal): Promise<Postmaster> {
  const deadline = performance.now() + drainPatienceMs;
  for (;;) {
    signal.throwIfAborted();
    await clearSocket(plan.socketFolder);
    const offset = plan.log.sizeBytes();
    const server = await launch(plan);
    if (await becomesReady(plan, server, signal)) return toPostmaster(plan, server);
    signal.throwIfAborted();
    const output = plan.log.since(offset);
    if (!isStillDraining(output) || performance.now() > deadline) {
      throw await explainFailure(output, plan.folders, plan.log.path);
    }
    await delay(50);
    await stopRemains(plan.folders.cluster);
  }
}

function launch({ account, binFolder, folders, log, socketFolder }: ServerPlan): Promise<GuardedProcess> {
  const args = serverArguments(folders.cluster, socketFolder);
  return startGuarded({ program: join(binFolder, 'postgres'), args, account, outputFd: log.fd });
}

/** False when the server ended instead; throws when it takes too long. */
async function becomesReady(
  { folders }: ServerPlan,
  server: GuardedProcess,
  signal: AbortSignal,
): Promise<boolean> {
  let hasExited = false;
  const exit = server.exited.then(() => (hasExited = true));
  const deadline = performance.now() + startPatienceMs;
  while (!hasExited) {
    const state = await readPostmasterFile(folders.cluster);
    if (state?.pid === server.pid && state.isReady) return true;
    if (signal.aborted || performance.now() > deadline) {
      await stopGuarded(server, folders);
      signal.throwIfAborted();
      throw new PostgresStartError(`PostgreSQL was not ready after ${startPatienceMs / 1000} seconds.`);
    }
    await Promise.race([exit, delay(pollEveryMs)]);
  }
  return false;
}

function toPostmaster({ folders }: ServerPlan, server: GuardedProcess): Postmaster {
  return { pid: server.pid, exited: server.exited, stop: () => stopGuarded(server, folders) };
}

/**
 * The guard's end of the pipe asks for the fast shutdown; what does not obey in time is made to. The guard may have been killed
 * before its server, so its end is no proof that the server has gone.
 */
async function stopGuarded(server: GuardedProcess, { cluster }: Folders): Promise<void> {
  server.release();
  if (!(await endsWithin(server, fastStopPatienceMs))) {
    signalIfAlive(server.pid, 'SIGQUIT');
    await endsWithin(server, immediateStopPatienceMs);
  }
  await stopRemains(cluster);
}

async function endsWithin(server: GuardedProcess, patienceMs: number): Promise<boolean> {
  const timer = new AbortController();
  const patience = delay(patienceMs, false, { signal: timer.signal }).catch(() => false);
  const isEnded = await Promise.race([server.exited.then(() => true), patience]);
  timer.abort();
  return isEnded;
}
