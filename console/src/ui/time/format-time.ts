import { en } from '../../copy/en.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** From this age on a date says more than a number of days. */
const dateFrom = 14 * day;

const locale = 'en-GB';
const dateOnly = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' });
const local = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
const utc = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });
const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' });

/** How far `atMs` is from `nowMs`, in words; a date when it is two weeks away or more. */
export function formatRelative(atMs: number, nowMs: number): string {
  const distance = Math.abs(nowMs - atMs);
  const isFuture = atMs > nowMs;
  if (distance < minute) return en.time.justNow;
  if (distance >= dateFrom) return formatDate(atMs);
  if (distance < hour)
    return (isFuture ? en.time.inMinutes : en.time.minutesAgo)(Math.floor(distance / minute));
  if (distance < day) return (isFuture ? en.time.inHours : en.time.hoursAgo)(Math.floor(distance / hour));
  return (isFuture ? en.time.inDays : en.time.daysAgo)(Math.floor(distance / day));
}

/** The day, as "2 Oct 2026", in the time zone of the browser. */
export function formatDate(atMs: number): string {
  return dateOnly.format(atMs);
}

/** Day and time to the second, in the time zone of the browser. */
export function formatLocal(atMs: number): string {
  return local.format(atMs);
}

/** Day and time to the second, in UTC and saying so. */
export function formatUtc(atMs: number): string {
  return `${utc.format(atMs)} UTC`;
}

/** Hours and minutes, in the time zone of the browser. */
export function formatClock(atMs: number): string {
  return clock.format(atMs);
}

/** Milliseconds since the epoch of an ISO string, a Date or a number. */
export function toMs(at: string | number | Date): number {
  return typeof at === 'number' ? at : new Date(at).getTime();
}
