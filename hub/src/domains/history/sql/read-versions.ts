import type { Output } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { ReportedVersions } from '../../../platform/db/history-tables.ts';
import { maxVersions } from './history-columns.ts';
import { frameOf, type HistoryCuts, hourlyCuts, isIn, stepIn } from './read-history.ts';

type VersionHistory = Output<'projects_QueryVersionHistory'>;
type Field = VersionHistory['fields'][number];

interface Wanted {
  /** The raw id. */
  readonly projectId: string;
  readonly range: keyof HistoryCuts;
  readonly now: Date;
}

/** Reads what the devices of a project reported as versions over a time. */
export async function readVersionHistory(
  tx: Database,
  { projectId, range, now }: Wanted,
): Promise<VersionHistory> {
  const frame = frameOf(range, now, hourlyCuts);
  const { rows } = await sql<{ step: number; versions: readonly ReportedVersions[] }>`
    select distinct on (1) ${stepIn(frame)} as step, versions from history
    where kind = 'Project' and subject = ${projectId} and ${isIn(frame)} and versions is not null order by 1, at desc`.execute(
    tx,
  );
  const looks = Array.from({ length: frame.count }, (): readonly ReportedVersions[] | undefined => undefined);
  for (const { step, versions } of rows) looks[step] = versions;
  const fields = [...new Set(rows.flatMap(({ versions }) => versions.map(({ field }) => field)))];
  return {
    from: new Date(frame.fromMs).toISOString(),
    stepSeconds: frame.stepSecs,
    fields: fields.map((field) => ({ field, ...seriesOf(looks, field) })),
  };
}

/** A field in all looks: between two that have it, one without it found no device; before and after, nobody may have looked for it. */
function seriesOf(
  looks: readonly (readonly ReportedVersions[] | undefined)[],
  name: string,
): Omit<Field, 'field'> {
  const found = looks.map((look) => look?.find(({ field }) => field === name));
  const isOf = (step: ReportedVersions | undefined) => step !== undefined;
  const [first, last] = [found.findIndex(isOf), found.findLastIndex(isOf)];
  const steps = found.map((step, index) => {
    const isBetween = looks[index] !== undefined && index > first && index < last;
    return step ?? (isBetween ? noVersions : undefined);
  });
  const peaks = new Map<string, number>();
  for (const step of steps)
    for (const { value, devices } of step?.values ?? [])
      peaks.set(value, Math.max(devices, peaks.get(value) ?? 0));
  const shown = [...peaks]
    .sort(([value, peak], [other, otherPeak]) => otherPeak - peak || (value < other ? -1 : 1))
    .slice(0, maxVersions)
    .map(([value]) => value);
  const counts = steps.map(
    (step) => step && new Map(step.values.map(({ value, devices }) => [value, devices])),
  );
  return {
    values: shown.map((value) => ({
      value,
      devices: counts.map((count) => (count === undefined ? null : (count.get(value) ?? 0))),
    })),
    others: steps.map((step, index) => {
      if (step === undefined) return null;
      const all = step.values.reduce((sum, { devices }) => sum + devices, step.others);
      return shown.reduce((rest, value) => rest - (counts[index]?.get(value) ?? 0), all);
    }),
  };
}

const noVersions: Omit<ReportedVersions, 'field'> = { values: [], others: 0 };
