/** How long somebody has to wait, such as `28 minutes`, for sentences for people. */
export function waitInWords(secs: number): string {
  const [count, unit] =
    secs > 5400 ? [secs / 3600, 'hour'] : secs >= 60 ? [secs / 60, 'minute'] : [secs, 'second'];
  const whole = Math.max(1, Math.ceil(count));
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`;
}
