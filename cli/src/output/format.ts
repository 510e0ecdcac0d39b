const units = ['KiB', 'MiB', 'GiB', 'TiB'];

/** A number of bytes for people, such as `340.1 MiB`. */
export function formatBytes(sizeBytes: number): string {
  if (sizeBytes < 1024) return `${sizeBytes} B`;
  let size = sizeBytes;
  let unit = 'B';
  for (const next of units) {
    if (size < 1024) break;
    size /= 1024;
    unit = next;
  }
  return `${size.toFixed(1)} ${unit}`;
}

const spans = [
  ['day', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const;

/** A duration in seconds for people, in its largest unit, such as `3 min`. */
export function formatDuration(durationSecs: number): string {
  for (const [unit, secs] of spans) {
    const count = Math.floor(durationSecs / secs);
    if (count > 0) return unit === 'day' && count > 1 ? `${count} days` : `${count} ${unit}`;
  }
  return `${Math.max(0, Math.floor(durationSecs))} s`;
}

/** How long ago something was, such as `3 min ago`. */
export function formatAge(timestamp: string, nowMs: number): string {
  const secs = (nowMs - Date.parse(timestamp)) / 1_000;
  return secs < 1 ? 'now' : `${formatDuration(secs)} ago`;
}

/** A point in time in UTC to the second, such as `2026-11-20 18:25:03Z`. */
export function formatTime(timestamp: string): string {
  return new Date(timestamp)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, 'Z');
}

/** A count with its noun, such as `1 device` and `2 devices`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
