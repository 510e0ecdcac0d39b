import { httpExecutor, type Executor } from '@corral/client';
import { percentile } from './load.ts';
import { barLine, type Line } from './table.ts';
import type { Testbed } from './testbed.ts';

const callsOfEach = 40;

/** A kind of calls of one list, and how long each may take at the 95th percentile. */
export interface ListKind {
  readonly what: string;
  readonly barMs: number;
  /** The line shows the slowest of these; each gets the number of the call. */
  readonly calls: readonly ((call: number) => Promise<unknown>)[];
}

/** Calls actions over HTTP in the session of the administrator, as the console does. */
export function sessionOf({ hub, user }: Testbed): Executor {
  const headers = { 'content-type': 'application/json', origin: hub.url, cookie: user.cookie };
  return httpExecutor({
    baseUrl: hub.url,
    fetch: (input, init) => fetch(input, { ...init, headers: { ...headers } }),
  });
}

/** Measures the calls of each kind one after the other: a line with the slowest 95th percentile. */
export async function listLines(kinds: readonly ListKind[]): Promise<Line[]> {
  const lines: Line[] = [];
  for (const { what, barMs, calls } of kinds) {
    const slowest = Math.max(...(await timesOf(calls)));
    lines.push(barLine({ what: `${what}, p95`, unit: 'ms', ours: slowest, bar: barMs }));
  }
  return lines;
}

async function timesOf(calls: ListKind['calls']): Promise<number[]> {
  const slow: number[] = [];
  for (const call of calls) {
    const durations: number[] = [];
    for (let count = 0; count < callsOfEach; count += 1) {
      const startedAt = performance.now();
      await call(count);
      durations.push(performance.now() - startedAt);
    }
    slow.push(percentile(durations, 0.95));
  }
  return slow;
}
