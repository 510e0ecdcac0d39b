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
  /** Bare queries that find the rows of the calls, in their order: the anchor of the line is that of the slowest call. */
  readonly bare?: readonly (() => Promise<unknown>)[];
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
  for (const { what, barMs, calls, bare } of kinds) {
    const times = await timesOf(calls, bare);
    const slowest = times.reduce((one, other) => (other.ours > one.ours ? other : one));
    const anchor =
      slowest.anchor === undefined
        ? {}
        : { anchor: slowest.anchor, anchorName: 'the bare query of that call' };
    lines.push(barLine({ what: `${what}, p95`, unit: 'ms', ours: slowest.ours, ...anchor, bar: barMs }));
  }
  return lines;
}

/** The 95th percentiles of each call and of its bare query, measured in turns. */
async function timesOf(
  calls: ListKind['calls'],
  bare: ListKind['bare'],
): Promise<{ ours: number; anchor?: number }[]> {
  const slow: { ours: number; anchor?: number }[] = [];
  for (const [index, call] of calls.entries()) {
    const ofCall: number[] = [];
    const ofQuery: number[] = [];
    const query = bare?.[index];
    for (let count = 0; count < callsOfEach; count += 1) {
      ofCall.push(await msOf(() => call(count)));
      if (query !== undefined) ofQuery.push(await msOf(query));
    }
    const anchor = query === undefined ? {} : { anchor: percentile(ofQuery, 0.95) };
    slow.push({ ours: percentile(ofCall, 0.95), ...anchor });
  }
  return slow;
}

async function msOf(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}
