import { percentile } from './load.ts';

/** Latency percentiles in milliseconds, measured from when each call was due. */
export interface OpenLoadResult {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

interface OpenLoadOptions {
  readonly perSecond: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

/**
 * An open-loop load: each call starts when it is due, whether or not earlier ones were answered. Latency counts from the
 * due time, so delays of the caller count too. Rejects when a call fails.
 */
export async function openLoad(
  call: (index: number) => Promise<unknown>,
  { perSecond, warmUpMs, measureMs }: OpenLoadOptions,
): Promise<OpenLoadResult> {
  const startedAt = performance.now();
  const durations: number[] = [];
  const one = async (index: number, dueMs: number): Promise<void> => {
    await call(index);
    if (dueMs >= warmUpMs) durations.push(performance.now() - startedAt - dueMs);
  };
  const count = Math.floor(((warmUpMs + measureMs) / 1_000) * perSecond);
  const calls: Promise<void>[] = [];
  for (let index = 0; index < count; index += 1) {
    const dueMs = (index / perSecond) * 1_000;
    await until(startedAt + dueMs);
    const made = one(index, dueMs);
    // `Promise.all` below reports the failure; without this it would be an unhandled rejection meanwhile.
    made.catch(() => undefined);
    calls.push(made);
  }
  await Promise.all(calls);
  return { p50Ms: percentile(durations, 0.5), p99Ms: percentile(durations, 0.99) };
}

async function until(atMs: number): Promise<void> {
  const waitMs = atMs - performance.now();
  if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
}
