import { uiCopy } from '../copy.ts';
import { chosenTimeZone } from '../style/theme.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** From this age on, show the date instead of a number of days. */
const dateFromMs = 14 * dayMs;

const locale = 'en-GB';
const utc = { timeZone: 'UTC' };

// Created lazily, because most pages need few of them.
function inBothZones(options: Intl.DateTimeFormatOptions): (atMs: number, isUtc?: boolean) => string {
  const formats: Record<string, Intl.DateTimeFormat> = {};
  return (atMs, isUtc = chosenTimeZone() === 'utc') =>
    (formats[String(isUtc)] ??= new Intl.DateTimeFormat(locale, { ...options, ...(isUtc && utc) })).format(
      atMs,
    );
}

const dayOfMonth = inBothZones({ day: 'numeric', month: 'short' });
const shortDate = inBothZones({ day: 'numeric', month: 'short', year: 'numeric' });
const longDate = inBothZones({ day: 'numeric', month: 'long', year: 'numeric' });
const dateTime = inBothZones({ dateStyle: 'medium', timeStyle: 'medium' });
const timeOfDay = inBothZones({ hour: '2-digit', minute: '2-digit' });
const secondOfDay = inBothZones({ timeStyle: 'medium' });

/** The distance of `atMs` from `nowMs` in words; the date when it is two weeks or more, `isShort` for a table. */
export function formatRelative(atMs: number, nowMs: number, isShort = false): string {
  const distance = Math.abs(nowMs - atMs);
  const isFuture = atMs > nowMs;
  if (distance < minuteMs) return uiCopy.time.justNow;
  if (distance >= dateFromMs) return (isShort ? shortDate : longDate)(atMs);
  // What ends in 14 days is shown a moment later as "in 14 days", not as "in 13 days".
  const whole = isFuture ? Math.round : Math.floor;
  if (distance < hourMs)
    return (isFuture ? uiCopy.time.inMinutes : uiCopy.time.minutesAgo)(whole(distance / minuteMs));
  if (distance < dayMs)
    return (isFuture ? uiCopy.time.inHours : uiCopy.time.hoursAgo)(whole(distance / hourMs));
  return (isFuture ? uiCopy.time.inDays : uiCopy.time.daysAgo)(whole(distance / dayMs));
}

/** The date, as "2 October 2026", in the chosen zone. */
export function formatDate(atMs: number): string {
  return longDate(atMs);
}

/** The day without its year, as "2 Oct", in the chosen zone. */
export function formatDay(atMs: number): string {
  return dayOfMonth(atMs);
}

/** Date and time to the second in the chosen zone; UTC is named. */
export function formatDateTime(atMs: number): string {
  return chosenTimeZone() === 'utc' ? formatUtc(atMs) : dateTime(atMs, false);
}

/** Date and time to the second in the zone that is not chosen. */
export function formatInOtherZone(atMs: number): string {
  return chosenTimeZone() === 'utc' ? dateTime(atMs, false) : formatUtc(atMs);
}

function formatUtc(atMs: number): string {
  return `${dateTime(atMs, true)} UTC`;
}

/** Hours and minutes in the chosen zone. */
export function formatTimeOfDay(atMs: number): string {
  return timeOfDay(atMs);
}

/** Hours, minutes and seconds in the chosen zone. */
export function formatSecondOfDay(atMs: number): string {
  return secondOfDay(atMs);
}

/** The zone of this machine and its offset at `atMs`, as "Europe/Berlin, UTC+1". */
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
