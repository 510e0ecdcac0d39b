const shortestMs = 250;
const firstCeilingMs = 1_000;
const capMs = 60_000;
const maxRetryAfterMs = 3_600_000;

/**
 * How long to wait before the next try, in milliseconds. The ceiling doubles from one second to a minute, and then the wait is drawn
 * evenly from below it, so that a fleet stays spread out however long its hub is away. A hub that named a
 * time is waited for at least that long, yet never longer than an hour and the jitter.
 */
export function backoffMs(
  failures: number,
  retryAfterMs: number | undefined,
  random: () => number = Math.random,
): number {
  const ceilingMs = Math.min(capMs, firstCeilingMs * 2 ** Math.min(failures, 16));
  if (retryAfterMs !== undefined) return Math.min(retryAfterMs, maxRetryAfterMs) + random() * ceilingMs;
  return shortestMs + random() * (ceilingMs - shortestMs);
}

/** Reads the header Retry-After, seconds or a date, as milliseconds from now; undefined for anything else. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
