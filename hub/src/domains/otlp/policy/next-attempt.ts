const longestSecs = 300;
const longestRetryAfterSecs = 3_600;

/** When to try again after so many failed attempts in a row: when the collector asks for it, or after a time that doubles up to five minutes. */
export function nextAttempt(
  attempts: number,
  {
    now,
    retryAfterSecs,
    random,
  }: { readonly now: Date; readonly retryAfterSecs: number | undefined; readonly random: number },
): Date {
  const backOffSecs = Math.min(longestSecs, 2 ** Math.min(attempts - 1, 10)) * (0.5 + random / 2);
  const secs = retryAfterSecs === undefined ? backOffSecs : Math.min(retryAfterSecs, longestRetryAfterSecs);
  return new Date(now.getTime() + secs * 1000);
}
