import { percentile } from './load.ts';

/** How long calls took from when each was due, in milliseconds. */
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
 * Makes each call at its time, whether those before it are answered or not, and waits for all answers. A call that
 * is made late, or waits behind others, took as long as from when it was due. A call that fails ends the load.
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
    // Its failure is told at the end, not as one that nobody waits for.
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
