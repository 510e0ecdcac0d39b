import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Account } from './account.ts';
import { explainFailure, isStillDraining } from './explain-failure.ts';
import type { Folders } from './folders.ts';
import { type GuardedProcess, startGuarded } from './guarded-process.ts';
import { PostgresStartError } from './PostgresStartError.ts';
import { readPostmasterFile, signalIfAlive } from './process-table.ts';
import type { ServerLog } from './server-log.ts';
import { serverArguments, type ServerUse } from './settings.ts';
import { clearSocket } from './socket-folder.ts';
import { stopOrphanedServer } from './stop-orphaned-server.ts';

/** The inputs of a server start, the same for every restart. */
export interface ServerPlan {
  folders: Folders;
  account: Account | undefined;
  binFolder: string;
  socketFolder: string;
  log: ServerLog;
  use: ServerUse;
}

/** One run of the server that accepts connections. */
export interface Postmaster {
  pid: number;
  /** The exit status, 128 + n after signal n. */
  exited: Promise<number>;
  /** Fast shutdown: rolls open transactions back. Resolves when the server has ended; it is killed if necessary. */
  stop(): Promise<void>;
}

/** Crash recovery replays at most some gigabytes of WAL; a start that takes longer than this has failed. */
const startTimeoutMs = 300_000;
const drainTimeoutMs = 20_000;
const fastStopTimeoutMs = 10_000;
const immediateStopTimeoutMs = 5_000;
const pollEveryMs = 5;

/** Starts the server and resolves when it accepts connections. Waits up to 20 s for processes of an earlier server to end. */
export async function startPostmaster(plan: ServerPlan, signal: AbortSignal): Promise<Postmaster> {
  const deadline = performance.now() + drainTimeoutMs;
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
    await stopOrphanedServer(plan.folders.cluster);
  }
}

function launch({
  account,
  binFolder,
  folders,
  log,
  socketFolder,
  use,
}: ServerPlan): Promise<GuardedProcess> {
  const args = serverArguments(folders.cluster, socketFolder, use);
  return startGuarded({ program: join(binFolder, 'postgres'), args, account, outputFd: log.fd });
}

/** Resolves with false when the server ended instead. Rejects when it takes too long. */
async function becomesReady(
  { folders }: ServerPlan,
  server: GuardedProcess,
  signal: AbortSignal,
): Promise<boolean> {
  let hasExited = false;
  const exit = server.exited.then(() => (hasExited = true));
  const deadline = performance.now() + startTimeoutMs;
  while (!hasExited) {
    const state = await readPostmasterFile(folders.cluster);
    if (state?.pid === server.pid && state.isReady) return true;
    if (signal.aborted || performance.now() > deadline) {
      await stopGuarded(server, folders);
      signal.throwIfAborted();
      throw new PostgresStartError(`PostgreSQL was not ready after ${startTimeoutMs / 1000} seconds.`);
    }
    await Promise.race([exit, delay(pollEveryMs)]);
  }
  return false;
}

function toPostmaster({ folders }: ServerPlan, server: GuardedProcess): Postmaster {
  return { pid: server.pid, exited: server.exited, stop: () => stopGuarded(server, folders) };
}

/**
 * Closing the guard's pipe requests a fast shutdown; a server that does not end in time is killed. The guard may have been killed before its
 * server, so the guard's exit does not prove that the server has ended.
 */
async function stopGuarded(server: GuardedProcess, { cluster }: Folders): Promise<void> {
  server.release();
  if (!(await endsWithin(server, fastStopTimeoutMs))) {
    signalIfAlive(server.pid, 'SIGQUIT');
    await endsWithin(server, immediateStopTimeoutMs);
  }
  await stopOrphanedServer(cluster);
}

async function endsWithin(server: GuardedProcess, timeoutMs: number): Promise<boolean> {
  const timer = new AbortController();
  const timeout = delay(timeoutMs, false, { signal: timer.signal }).catch(() => false);
  const isEnded = await Promise.race([server.exited.then(() => true), timeout]);
  timer.abort();
  return isEnded;
}
