import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { ReportedVersions } from '../../../platform/db/history-tables.ts';

/** Parts of a fleet by days before now that have at least a version: it went to a tenth first, and further step by step. */
const rollouts: readonly {
  readonly version: string;
  readonly steps: readonly (readonly [number, number])[];
}[] = [
  { version: '1.3.2', steps: [[99, 1]] },
  { version: '1.4.0', steps: [[26, 0.1], [24, 0.4], [22, 0.9]] }, // prettier-ignore
  { version: '1.4.1', steps: [[12, 0.1], [10, 0.3], [8, 0.5], [6, 0.7]] }, // prettier-ignore
  { version: '1.5.0-rc.1', steps: [[3, 0.1]] },
];
/** Devices take a version within so many days. */
const rampDays = 0.5;

/** Versions of the systems of the fleet, each of a fifth of it. */
const systems = ['12', '13', '24', '3.22.1', '5.0.11'];

/** Adds the versions of a demo's fleet to an invented past of its project, by its raw id; those of this hour are seen. */
export async function inventVersions(tx: Database, projectId: string, now: Date): Promise<void> {
  const hour = new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000);
  const { rows } = await sql<{ secs: number; at: string; devices: number }>`
    select step_secs as secs, at, connected + disconnected as devices from history
    where kind = 'Project' and subject = ${projectId} and step_secs > 60 and at < ${hour}`.execute(tx);
  const told = rows.map(({ secs, at, devices }) => ({
    secs,
    at,
    versions: [versionsAt((now.getTime() - Date.parse(at)) / 86_400_000, devices), systemsOf(devices)],
  }));
  await sql`
    update history set versions = t.versions from jsonb_to_recordset(${JSON.stringify(told)}::jsonb) as t(secs integer, at timestamptz, versions jsonb)
    where kind = 'Project' and subject = ${projectId} and step_secs = t.secs and history.at = t.at`.execute(
    tx,
  );
}

function versionsAt(daysAgo: number, devices: number): ReportedVersions {
  const atLeast = rollouts.map(({ steps }) => Math.round(devices * partAt(steps, daysAgo)));
  const values = rollouts
    .map(({ version }, index) => ({
      value: version,
      devices: (atLeast[index] ?? 0) - (atLeast[index + 1] ?? 0),
    }))
    .filter((one) => one.devices > 0)
    .sort((a, b) => b.devices - a.devices);
  return { field: 'app.version', values, others: 0 };
}

function partAt(steps: readonly (readonly [number, number])[], daysAgo: number): number {
  let part = 0;
  for (const [since, to] of steps)
    part += (to - part) * Math.min(1, Math.max(0, (since - daysAgo) / rampDays));
  return part;
}

function systemsOf(devices: number): ReportedVersions {
  const values = systems.map((value, index) => ({
    value,
    devices: Math.ceil((devices - index) / systems.length),
  }));
  return { field: 'system.version', values, others: 0 };
}
