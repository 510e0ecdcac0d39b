const hourSecs = 3600;
const daySecs = 86_400;

/** The steps of the history, and how long each is kept: two days, 60 days, two years. */
export const historyPeriods = [
  { stepSecs: 60, keptSecs: 2 * daySecs },
  { stepSecs: hourSecs, keptSecs: 60 * daySecs },
  { stepSecs: daySecs, keptSecs: 730 * daySecs },
] as const;

/** The steps that are made of minutes. */
export const hourAndDay = historyPeriods.slice(1);

/** The most frequent values of a version that are kept and shown. */
export const maxVersions = 8;

/** When the hour and the day began, in UTC, that the last minute was in. */
export function stepsOfLastMinute(now: Date): { readonly hour: Date; readonly day: Date } {
  const startOf = (secs: number) => new Date(Math.floor((now.getTime() / 1000 - 60) / secs) * secs * 1000);
  return { hour: startOf(hourSecs), day: startOf(daySecs) };
}

/** The columns of events by severity. */
export const eventColumns = {
  Trace: 'traces',
  Debug: 'debugs',
  Info: 'infos',
  Warning: 'warnings',
  Error: 'errors',
  Critical: 'criticals',
} as const;
