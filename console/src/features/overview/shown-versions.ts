import type { Output } from '@corral/contract';

/** A field that is a version, as devices report it now. */
export type Version = Output<'projects_GetOverview'>['versions'][number];
/** The same over time. */
export type VersionSeries = Output<'projects_QueryVersionHistory'>['fields'][number];

/** A version, or all others without a value: its devices now, and in each step of a time. */
export interface ShownVersion {
  readonly value: string | undefined;
  readonly count: number;
  readonly devices: readonly (number | null)[];
}

const maxShown = 4;

/** How many devices report a version. */
export const reportingOf = ({ values, others }: Version): number =>
  values.reduce((sum, { devices }) => sum + devices, others);

/** The versions that the most devices had at any time, the most frequent ones of now first, and all others as one; at most four. */
export function shownVersions(version: Version, series: VersionSeries | undefined): ShownVersion[] {
  const steps = series?.others.length ?? 0;
  const nowOf = new Map(version.values.map(({ value, devices }) => [value, devices]));
  const pastOf = new Map(series?.values.map(({ value, devices }) => [value, devices]));
  const all = [...new Set([...nowOf.keys(), ...pastOf.keys()])].map((value) => {
    const count = nowOf.get(value) ?? 0;
    const devices = withNow(pastOf.get(value) ?? unseen(series), count, steps);
    return { value, count, devices, peak: Math.max(count, ...devices.map((one) => one ?? 0)) };
  });
  const totals = withNow(totalsOf(series), reportingOf(version), steps);
  const restOf = (named: readonly ShownVersion[]): ShownVersion => ({
    value: undefined,
    count: named.reduce((rest, { count }) => rest - count, reportingOf(version)),
    devices: totals.map((total, step) =>
      total === null ? null : named.reduce((rest, { devices }) => rest - (devices[step] ?? 0), total),
    ),
  });
  const byPeak = all.toSorted((one, other) => other.peak - one.peak);
  const byNow = (count: number) => byPeak.slice(0, count).toSorted((one, other) => other.count - one.count);
  if (all.length <= maxShown && isNothing(restOf(all))) return byNow(maxShown);
  const named = byNow(maxShown - 1);
  return [...named, restOf(named)];
}

const isNothing = ({ count, devices }: ShownVersion): boolean =>
  count === 0 && devices.every((one) => (one ?? 0) === 0);

/** A value that is not among those of the time had none of its devices, or is among the others. */
const unseen = (series: VersionSeries | undefined): (number | null)[] =>
  (series?.others ?? []).map((others) => (others === null ? null : 0));

const totalsOf = (series: VersionSeries | undefined): (number | null)[] =>
  (series?.others ?? []).map((others, step) =>
    others === null
      ? null
      : (series?.values ?? []).reduce((sum, { devices }) => sum + (devices[step] ?? 0), others),
  );

/** The last step is now. */
const withNow = (devices: readonly (number | null)[], now: number, steps: number): (number | null)[] =>
  steps === 0 ? [] : [...devices.slice(0, steps - 1), now];
