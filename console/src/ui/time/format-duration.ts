import { uiCopy } from '../copy.ts';

const secondsUntil = 120;

/** Formats a duration in seconds: under 120 s in seconds, else in days, hours and minutes, without zero parts. */
export function formatDuration(totalSeconds: number): string {
  const seconds = Math.max(0, Math.floor(totalSeconds));
  if (seconds < secondsUntil) return uiCopy.duration.seconds(seconds);
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return [
    days > 0 && uiCopy.duration.days(days),
    hours > 0 && uiCopy.duration.hours(hours),
    minutes > 0 && uiCopy.duration.minutes(minutes),
  ]
    .filter((part) => part !== false)
    .join(' ');
}
