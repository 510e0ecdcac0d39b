/** A time to wait, rounded up to minutes or hours: `28 minutes`. */
export function waitInWords(secs: number): string {
  const [count, unit] = secs > 5400 ? [secs / 3600, 'hour'] : [secs / 60, 'minute'];
  const whole = Math.ceil(count);
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`;
}
