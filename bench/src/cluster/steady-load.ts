import { setTimeout as pause } from 'node:timers/promises';
import { httpExecutor, readList } from '@corral/client';
import type { Id } from '@corral/contract';
import type { BenchUser } from '../bench-hub.ts';
import type { ClusterTestbed } from './cluster-testbed.ts';
import { counts } from './counts.ts';
import { signIn } from '../bench-hub.ts';

/** The answers that the callers got until each call succeeded. */
export interface LoadResult {
  readonly acknowledged: number;
  /** Acknowledged writes that the hubs do not have. */
  readonly lost: number;
  /** The longest time in which no write was acknowledged. */
  readonly longestGapMs: number;
  /** 503 with a Retry-After. */
  readonly unavailable: number;
  /** Any other answer but 200, most often by nginx for a hub that is gone. */
  readonly others: number;
  /** Requests without an answer. */
  readonly broken: number;
}

/** Callers that write at a steady rate through nginx, and try each write again until it is acknowledged. */
export interface SteadyLoad {
  /** Ends the calls, and checks that the hubs have all acknowledged writes. */
  stop(): Promise<LoadResult>;
}

const callers = 16;
const answerTimeoutMs = 30_000;
const [leastWaitMs, mostWaitMs] = [100, 1_000];

interface Caller {
  readonly token: string;
  readonly projectId: Id<'project'>;
  readonly acknowledged: string[];
}

/** Starts the callers, each with a token and a project of its own. */
export async function startSteadyLoad(bed: ClusterTestbed, perSecond: number): Promise<SteadyLoad> {
  const { executor: session } = await signIn(bed.url);
  const state = {
    unavailable: 0,
    others: 0,
    broken: 0,
    gapFromMs: performance.now(),
    longestGapMs: 0,
    isStopping: false,
  };
  const all: Caller[] = [];
  for (let at = 0; at < callers; at += 1) {
    const { userId } = bed.user;
    const { token } = await session.invoke('users_CreateUserToken', { userId, name: `caller ${at}` });
    const made = await session.invoke('projects_CreateProject', { name: `Caller ${at}` });
    all.push({ token, projectId: made.projectId as Id<'project'>, acknowledged: [] });
  }
  state.gapFromMs = performance.now();
  const everyMs = (callers / perSecond) * 1_000;
  const running = Promise.all(all.map((caller) => write(bed.url, caller, everyMs, state)));
  running.catch(() => undefined);
  return {
    async stop() {
      state.isStopping = true;
      await running;
      const lost = await Promise.all(all.map((caller) => lostOf(bed.user, caller)));
      return {
        acknowledged: all.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0),
        lost: lost.reduce((sum, count) => sum + count, 0),
        ...state,
      };
    },
  };
}

interface LoadState {
  unavailable: number;
  others: number;
  broken: number;
  gapFromMs: number;
  longestGapMs: number;
  isStopping: boolean;
}

async function write(url: string, caller: Caller, everyMs: number, state: LoadState): Promise<void> {
  for (let count = 0; !state.isStopping; count += 1) {
    const begunAtMs = performance.now();
    const name = `written ${count}`;
    let waitMs = await writeOnce(url, caller, name, state);
    while (waitMs !== undefined) {
      await pause(waitMs);
      waitMs = await writeOnce(url, caller, name, state);
    }
    caller.acknowledged.push(name);
    const nowMs = performance.now();
    state.longestGapMs = Math.max(state.longestGapMs, nowMs - state.gapFromMs);
    state.gapFromMs = nowMs;
    await pause(Math.max(0, everyMs - (nowMs - begunAtMs)));
  }
}

/** Undefined once the write is acknowledged, else how long to wait before the next try. */
async function writeOnce(
  url: string,
  { token, projectId }: Caller,
  name: string,
  state: LoadState,
): Promise<number | undefined> {
  const jitterMs = leastWaitMs + Math.random() * (mostWaitMs - leastWaitMs);
  try {
    const answer = await fetch(`${url}/api/v1/actions/invoke/projects_CreateDeploymentToken`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ projectId, name }),
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    const text = await answer.text();
    if (answer.status === 200) return undefined;
    const retryAfter = answer.headers.get('retry-after');
    if (answer.status === 503 && retryAfter !== null) {
      state.unavailable += 1;
      return Number(retryAfter) * 1_000 + jitterMs;
    }
    state.others += 1;
    process.stderr.write(`  answered ${answer.status}: ${text.slice(0, 120).replaceAll(/\s+/g, ' ')}\n`);
  } catch {
    state.broken += 1;
  }
  return jitterMs;
}

async function lostOf({ url, token }: BenchUser, { projectId, acknowledged }: Caller): Promise<number> {
  const executor = httpExecutor({ baseUrl: url, token });
  const { tokens } = await readList(executor, 'projects_QueryProjectDeploymentTokens', { projectId });
  const stored = new Set(tokens.map(({ name }) => name));
  return acknowledged.filter((name) => !stored.has(name)).length;
}

/** Runs work under a steady load of writes, and prints the answers that the callers got. */
export async function underLoad(bed: ClusterTestbed, work: () => Promise<void>): Promise<LoadResult> {
  const load = await startSteadyLoad(bed, counts.writesPerSecond);
  await work();
  const result = await load.stop();
  const { acknowledged, unavailable, others, broken } = result;
  process.stderr.write(
    `  ${acknowledged} acknowledged, ${unavailable} answered with 503, ${others} other answers, ${broken} broken\n`,
  );
  return result;
}
