import { setTimeout as delay } from 'node:timers/promises';
import { Agent, get } from 'node:http';
import type { BenchHub } from '../../bench-hub.ts';
import { percentile } from '../../load.ts';
import { residentBytes } from '../../processes.ts';

const probeEveryMs = 5;
/** Longer than what is between two reports of `watch-turns.ts`. */
const lastReportMs = 400;
const mebibyte = 1024 * 1024;

/** The environment of a hub that reports its turns. */
export const watched = { NODE_OPTIONS: `--import=${new URL('./watch-turns.ts', import.meta.url).href}` };

/** What was seen of a hub while it worked. */
export interface Observed {
  /** The longest time between two runs of a timer of 10 ms, by the hub's own metric: the longest turn of its event loop is up to 10 ms shorter. */
  readonly longestTurnMs: number;
  /** The most processor time of the main thread in a turn: without what it waited for a processor, or for helpers of the garbage collector that did. */
  readonly longestUseMs: number;
  readonly healthP99Ms: number;
  readonly highestMiB: number;
  readonly secs: number;
}

/** Observes a hub, which runs with `watched`, until the work ends. */
export async function observe({ url, program }: BenchHub, work: Promise<unknown>): Promise<Observed> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const startedAt = performance.now();
  // Each scrape begins a new measurement of the event loop.
  await scrapedTurnMs(url, agent);
  let [isOver, highest] = [false, 0];
  const durations: number[] = [];
  const ended = work.finally(() => (isOver = true));
  // It is awaited below, after the last call.
  ended.catch(() => undefined);
  const uses = longestUse(program);
  while (!isOver) {
    const askedAt = performance.now();
    await textAt(`${url}/healthz`, agent);
    durations.push(performance.now() - askedAt);
    highest = Math.max(highest, residentBytes(program.pid));
    await delay(probeEveryMs);
  }
  await ended;
  const secs = (performance.now() - startedAt) / 1_000;
  const longestTurnMs = await scrapedTurnMs(url, agent);
  agent.destroy();
  await delay(lastReportMs);
  return {
    longestTurnMs,
    longestUseMs: uses.longestMs,
    healthP99Ms: percentile(durations, 0.99),
    highestMiB: highest / mebibyte,
    secs,
  };
}

/** Reads the reports of the hub from now on. */
function longestUse(program: BenchHub['program']): { readonly longestMs: number } {
  const uses = { longestMs: 0 };
  program.onLine((line) => {
    const ms = Number(/^longest turn (\S+) ms$/.exec(line)?.[1] ?? 0);
    uses.longestMs = Math.max(uses.longestMs, ms);
  });
  return uses;
}

async function scrapedTurnMs(url: string, agent: Agent): Promise<number> {
  const text = await textAt(`${url}/metrics`, agent);
  const seconds = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1];
  if (seconds === undefined) throw new Error('The hub does not report the delay of its event loop.');
  return Number(seconds) * 1_000;
}

function textAt(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = get(url, { agent }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      answer.on('end', () => resolve(Buffer.concat(chunks).toString()));
    });
    sent.on('error', reject);
  });
}
