import { setTimeout as delay } from 'node:timers/promises';
import type { PostgresLog } from './PostgresLog.ts';
import type { Postmaster } from './postmaster.ts';

/** An unexpected exit of the server. */
export interface PostgresExit {
  /** Exit status, 128 + n after signal n. */
  status: number;
  /** How often the server had been restarted before. */
  restarts: number;
}

/** How the supervisor starts servers, and its callbacks. */
export interface Supervision {
  /** Starts the server again. Rejects when that fails or the signal aborts it. */
  start(signal: AbortSignal): Promise<Postmaster>;
  log: PostgresLog;
  onExit?: ((exit: PostgresExit) => void) | undefined;
  onRestart?: ((pid: number) => void) | undefined;
}

/** A server that is restarted after every unexpected exit, until stop(). */
export interface Supervisor {
  pid(): number | undefined;
  restarts(): number;
  stop(): Promise<void>;
}

const firstDelayMs = 100;
const maxDelayMs = 5_000;
/** After a run this long the next restart is immediate. */
const stableAfterMs = 1_000;

/** Supervises a running server: restarts it immediately, then with delays that double up to 5 s. */
export function supervise(first: Postmaster, supervision: Supervision): Supervisor {
  const stopping = new AbortController();
  const state: State = { current: first, restarts: 0, delayMs: 0 };
  const ended = keepRunning(state, supervision, stopping.signal);
  return {
    pid: () => state.current?.pid,
    restarts: () => state.restarts,
    stop: async () => {
      stopping.abort();
      await state.current?.stop();
      await ended;
    },
  };
}

interface State {
  current: Postmaster | undefined;
  restarts: number;
  delayMs: number;
}

async function keepRunning(state: State, supervision: Supervision, stopping: AbortSignal): Promise<void> {
  while (state.current) {
    const startedAt = performance.now();
    const status = await state.current.exited;
    state.current = undefined;
    if (stopping.aborted) return;
    if (performance.now() - startedAt > stableAfterMs) state.delayMs = 0;
    supervision.log.error('PostgreSQL exited unexpectedly; restarting it', {
      status,
      restarts: state.restarts,
    });
    supervision.onExit?.({ status, restarts: state.restarts });
    state.current = await restart(state, supervision, stopping);
  }
}

/** Retries until it works, since a full disk or lack of memory can be temporary. Resolves with undefined when stopped. */
async function restart(
  state: State,
  supervision: Supervision,
  stopping: AbortSignal,
): Promise<Postmaster | undefined> {
  while (!stopping.aborted) {
    try {
      await delay(state.delayMs, undefined, { signal: stopping });
      state.delayMs = Math.min(Math.max(firstDelayMs, state.delayMs * 2), maxDelayMs);
      const server = await supervision.start(stopping);
      state.restarts += 1;
      supervision.log.info('PostgreSQL is running again', { pid: server.pid, restarts: state.restarts });
      supervision.onRestart?.(server.pid);
      if (!stopping.aborted) return server;
      await server.stop();
    } catch (error) {
      if (!stopping.aborted)
        supervision.log.error((error as Error).message, { nextAttemptMs: state.delayMs });
    }
  }
  return undefined;
}
