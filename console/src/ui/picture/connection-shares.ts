/** An interval in which a device was connected, in milliseconds since the epoch; without `toMs` it still is. */
export type ConnectedInterval = { fromMs: number; toMs?: number | null | undefined };
/** An interval without a connection. */
export type Gap = { fromMs: number; toMs: number };

type Shares = { bars: number[]; share: number; gaps: Gap[] };

/** Splits the time from `startMs` to `endMs` into `count` bars. Shares, of each bar and of all, are from 0 to 1. */
export function connectionShares(
  intervals: readonly ConnectedInterval[],
  startMs: number,
  endMs: number,
  count: number,
): Shares {
  const connected = merge(intervals, startMs, endMs);
  const step = (endMs - startMs) / count;
  const bars = Array.from({ length: count }, (_, index) =>
    overlap(connected, startMs + index * step, startMs + (index + 1) * step),
  );
  return { bars, share: overlap(connected, startMs, endMs), gaps: gapsBetween(connected, startMs, endMs) };
}

/** The share of the time from `startMs` to `endMs` that is known in which the device was connected, from 0 to 1. */
export function knownShare(
  intervals: readonly ConnectedInterval[],
  unknown: readonly Gap[],
  startMs: number,
  endMs: number,
): number {
  const connected = overlap(merge(intervals, startMs, endMs), startMs, endMs);
  const either = overlap(merge([...intervals, ...unknown], startMs, endMs), startMs, endMs);
  const known = 1 - (either - connected);
  return known <= 0 ? 0 : Math.min(1, connected / known);
}

// A device may have several connections at once, so intervals overlap.
function merge(intervals: readonly ConnectedInterval[], startMs: number, endMs: number): Gap[] {
  const clipped = intervals
    .map(({ fromMs, toMs }) => ({ fromMs: Math.max(fromMs, startMs), toMs: Math.min(toMs ?? endMs, endMs) }))
    .filter(({ fromMs, toMs }) => toMs > fromMs)
    .sort((one, other) => one.fromMs - other.fromMs);
  const merged: Gap[] = [];
  for (const interval of clipped) {
    const last = merged.at(-1);
    if (last !== undefined && interval.fromMs <= last.toMs) last.toMs = Math.max(last.toMs, interval.toMs);
    else merged.push({ ...interval });
  }
  return merged;
}

function overlap(connected: readonly Gap[], fromMs: number, toMs: number): number {
  const sum = connected.reduce(
    (total, part) => total + Math.max(0, Math.min(part.toMs, toMs) - Math.max(part.fromMs, fromMs)),
    0,
  );
  return sum / (toMs - fromMs);
}

function gapsBetween(connected: readonly Gap[], startMs: number, endMs: number): Gap[] {
  const edges = [startMs, ...connected.flatMap(({ fromMs, toMs }) => [fromMs, toMs]), endMs];
  const gaps: Gap[] = [];
  for (let index = 0; index < edges.length; index += 2) {
    const gap = { fromMs: edges[index] ?? startMs, toMs: edges[index + 1] ?? endMs };
    if (gap.toMs > gap.fromMs) gaps.push(gap);
  }
  return gaps;
}

/** A share from 0 to 1 in percent with one digit; rounds neither to 0 nor to 100. */
export function formatShare(share: number): string {
  if (share >= 1) return '100';
  if (share <= 0) return '0';
  return Math.min(99.9, Math.max(0.1, share * 100)).toFixed(1);
}
