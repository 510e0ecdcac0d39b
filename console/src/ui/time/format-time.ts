import { en } from '../../copy/en.ts';
import { chosenTimeZone } from '../style/theme.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** From this age on a date says more than a number of days. */
const dateFrom = 14 * day;

const locale = 'en-GB';
const utc = { timeZone: 'UTC' };

// Made when first wanted, since most pages show few kinds of them.
function inBothZones(options: Intl.DateTimeFormatOptions): (atMs: number, isUtc?: boolean) => string {
  const formats: Record<string, Intl.DateTimeFormat> = {};
  return (atMs, isUtc = chosenTimeZone() === 'utc') =>
    (formats[String(isUtc)] ??= new Intl.DateTimeFormat(locale, { ...options, ...(isUtc && utc) })).format(
      atMs,
    );
}

const dateOnly = inBothZones({ day: 'numeric', month: 'short', year: 'numeric' });
const moment = inBothZones({ dateStyle: 'medium', timeStyle: 'medium' });
const clock = inBothZones({ hour: '2-digit', minute: '2-digit' });

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

/** The day, as "2 Oct 2026", in the zone that the user chose. */
export function formatDate(atMs: number): string {
  return dateOnly(atMs);
}

/** Day and time to the second, in the zone that the user chose: the browser's, or UTC, which says so. */
export function formatMoment(atMs: number): string {
  return chosenTimeZone() === 'utc' ? formatUtc(atMs) : moment(atMs, false);
}

/** The same moment in the other of the two zones. */
export function formatElsewhere(atMs: number): string {
  return chosenTimeZone() === 'utc' ? moment(atMs, false) : formatUtc(atMs);
}

/** Day and time to the second, in UTC and saying so. */
function formatUtc(atMs: number): string {
  return `${moment(atMs, true)} UTC`;
}

/** Hours and minutes, in the zone that the user chose. */
export function formatClock(atMs: number): string {
  return clock(atMs);
}

/** The zone of this machine and how far it is from UTC, as "Europe/Berlin, UTC+1"; `atMs` because that changes over the year. */
export function localZoneName(atMs: number): string {
  const { timeZone } = new Intl.DateTimeFormat(locale).resolvedOptions();
  const parts = new Intl.DateTimeFormat(locale, { timeZoneName: 'shortOffset' }).formatToParts(atMs);
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', 'UTC');
  return offset === undefined || offset === timeZone ? timeZone : `${timeZone}, ${offset}`;
}

/** Milliseconds since the epoch of an ISO string, a Date or a number. */
export function toMs(at: string | number | Date): number {
  return typeof at === 'number' ? at : new Date(at).getTime();
}
