/** Calls per second, and the 99th percentile of their latency in milliseconds. */
export interface LoadResult {
  readonly perSecond: number;
  readonly p99Ms: number;
}

interface LoadOptions {
  /** Number of concurrent callers; each waits for its answer before it calls again. */
  readonly callers: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

type Call = (caller: number) => Promise<unknown>;

/** A closed-loop load, measured after the warm-up. Rejects when a call fails. */
export async function load(call: Call, options: LoadOptions): Promise<LoadResult> {
  return toResult(await measure(call, options), options.measureMs);
}

/** The durations of the calls that began and ended in the measured time, in milliseconds. */
async function measure(call: Call, { callers, warmUpMs, measureMs }: LoadOptions): Promise<number[]> {
  const startAt = performance.now() + warmUpMs;
  const endAt = startAt + measureMs;
  const durations: number[] = [];
  const caller = async (index: number): Promise<void> => {
    for (let begunAt = performance.now(); begunAt < endAt; begunAt = performance.now()) {
      await call(index);
      const doneAt = performance.now();
      if (begunAt >= startAt && doneAt <= endAt) durations.push(doneAt - begunAt);
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, index) => caller(index)));
  return durations;
}

function toResult(durations: readonly number[], measureMs: number): LoadResult {
  return { perSecond: (durations.length / measureMs) * 1000, p99Ms: percentile(durations, 0.99) };
}

/** The percentile of values; `share` is between 0 and 1. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
