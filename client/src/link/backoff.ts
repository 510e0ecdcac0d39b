const minDelayMs = 250;
const initialCeilingMs = 1_000;
/** Limits the wait, in milliseconds, so that a fleet reconnects within a minute after the hub is back. */
export const maxCeilingMs = 30_000;
const maxRetryAfterMs = 3_600_000;
/** Jitter added to a Retry-After: this share of it, but at least one second. Hubs already spread the times that they send. */
const jitterShare = 0.1;
const minJitterMs = 1_000;

/**
 * How long to wait before the next attempt, in milliseconds: a random time below a ceiling that doubles from one second to 30 s, less the
 * time that the connection lasted. A Retry-After is waited for with little jitter, at most an hour; one of 0 counts as none.
 */
export function backoffMs(
  failures: number,
  retryAfterMs: number | undefined,
  random: () => number = Math.random,
  lastedMs = 0,
): number {
  const fullMs = Math.min(maxCeilingMs, initialCeilingMs * 2 ** Math.min(failures, 16));
  const ceilingMs = Math.max(initialCeilingMs, fullMs - lastedMs);
  if (retryAfterMs === undefined || retryAfterMs <= 0)
    return minDelayMs + random() * (ceilingMs - minDelayMs);
  const requestedMs = Math.min(retryAfterMs, maxRetryAfterMs);
  return requestedMs + random() * Math.max(minJitterMs, requestedMs * jitterShare);
}

/** Parses the header Retry-After, seconds or a date, to milliseconds from the date of the answer; undefined for anything else. */
export function retryAfterMs({
  'retry-after': header,
  date = '',
}: {
  readonly 'retry-after'?: string | undefined;
  readonly date?: string | undefined;
}): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000;
  const atMs = Date.parse(header);
  // By the clock of the hub: that of this machine may be wrong.
  const answeredAtMs = Date.parse(date) || Date.now();
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - answeredAtMs);
}
