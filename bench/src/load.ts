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

/** So many times each load is measured when several are compared. */
const rounds = 5;
/** How long a load runs before a round is measured, in milliseconds. */
const leadMs = 300;

/** A closed-loop load, measured after the warm-up. Rejects when a call fails. */
export async function load(call: Call, options: LoadOptions): Promise<LoadResult> {
  return toResult(await measure(call, options), options.measureMs);
}

/**
 * Several closed-loop loads, to be compared: all are warmed up, then measured by turns in five rounds that share the time, since the speed of a machine changes
 * within minutes. Rejects when a call fails.
 */
export async function loadInTurns<Name extends string>(
  calls: Readonly<Record<Name, Call>>,
  options: LoadOptions,
): Promise<Record<Name, LoadResult>> {
  const { callers, warmUpMs, measureMs } = options;
  const loads = Object.entries<Call>(calls).map(([name, call]) => ({
    name,
    call,
    durations: [] as number[],
  }));
  for (const { call } of loads) await measure(call, { callers, warmUpMs, measureMs: 0 });
  for (let round = 0; round < rounds; round += 1)
    for (const { call, durations } of loads) {
      const turn = { callers, warmUpMs: leadMs, measureMs: measureMs / rounds };
      for (const duration of await measure(call, turn)) durations.push(duration);
    }
  const results = loads.map(({ name, durations }) => [name, toResult(durations, measureMs)]);
  return Object.fromEntries(results) as Record<Name, LoadResult>;
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
