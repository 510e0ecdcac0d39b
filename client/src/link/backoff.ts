const shortestMs = 250;
const firstCeilingMs = 1_000;
/** No more, so that a fleet is back within a minute of its hub, however long that was away. */
const capMs = 30_000;
const maxRetryAfterMs = 3_600_000;
/** A named time is kept to within this share of it, and at least this long, as hubs themselves spread the times that they name. */
const spreadShare = 0.1;
const leastSpreadMs = 1_000;

/**
 * How long to wait before the next try, in milliseconds. The ceiling doubles from one second to half a minute, and then the wait is drawn
 * evenly from below it, so that a fleet stays spread out however long its hub is away. A hub that named a
 * time is waited for at least that long and hardly longer, however often it did, yet never longer than an hour and the jitter.
 * A time that is now is none.
 */
export function backoffMs(
  failures: number,
  retryAfterMs: number | undefined,
  random: () => number = Math.random,
): number {
  const ceilingMs = Math.min(capMs, firstCeilingMs * 2 ** Math.min(failures, 16));
  if (retryAfterMs === undefined || retryAfterMs <= 0)
    return shortestMs + random() * (ceilingMs - shortestMs);
  const namedMs = Math.min(retryAfterMs, maxRetryAfterMs);
  return namedMs + random() * Math.max(leastSpreadMs, namedMs * spreadShare);
}

/** Reads the header Retry-After, seconds or a date, as milliseconds from now; undefined for anything else. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
