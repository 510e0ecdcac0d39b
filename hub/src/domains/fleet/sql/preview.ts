import { ids, nextWindow, type Json, type Output } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { planEachTime, type Database } from '../../../platform/db/connect.ts';
import { defaults, mostDevicesOfMembers, defaultStages, type GivenDefinition } from './definition.ts';
import type { Eligibility, Plan } from './eligibility.ts';
import { downloadBytesOf } from './recipes.ts';
import { filledStages, sizedStages } from './stage-sizes.ts';

type Preview = Omit<Output<'fleet_PreviewOperation'>, 'needsApproval' | 'starters'>;

const mostInSample = 5;
/** How many changes a preview shows. */
export const mostChanges = 20;
/** Longer values are left out of what changes. */
const longestShown = 1_000;

interface Row {
  readonly matched: number;
  readonly eligible: number;
  readonly offline: number;
  readonly busy: number;
  readonly excluded:
    | readonly { readonly reason: string; readonly count: number; readonly sample: readonly Named[] }[]
    | null;
  readonly changes:
    | readonly {
        readonly step: number;
        readonly from: Json;
        readonly isAbsent: boolean;
        readonly count: number;
      }[]
    | null;
  readonly hash: string;
}

interface Named {
  readonly id: string;
  readonly name: string | null;
}

/** What an operation would do now, from one read. */
export async function readPreview(
  tx: Database,
  given: Pick<GivenDefinition, 'stages' | 'enrollmentIntervalSecs' | 'window' | 'deliverWithinSecs'>,
  plan: Plan,
  { matched, errors }: Eligibility,
  now: Date,
): Promise<Preview> {
  const row = await readSelection(tx, plan, matched);
  const { eligible } = row;
  const sized =
    given.stages.length === 0 ? filledStages(defaultStages, eligible) : sizedStages(given.stages, eligible);
  return {
    matched: row.matched + errors.length,
    eligible,
    offline: row.offline,
    excluded: [...excludedBy(row), ...erroneous(errors)],
    stages: sized.map(({ stage, devices }) => ({ name: stage.name, devices })),
    changes: changesOf(row, plan),
    downloadBytes: plan.version === undefined ? 0 : downloadBytesOf(plan.version) * eligible,
    needsOwner: eligible > mostDevicesOfMembers || given.enrollmentIntervalSecs !== undefined,
    ...(given.window === undefined ? {} : { window: shownWindow(given.window, now) }),
    warnings: [
      ...(opensTooLate(given, now)
        ? ['The window opens after the time to reach devices has ended: it would run on none.']
        : []),
      ...warningsOf(
        row,
        plan,
        sized.reduce((sum, { devices }) => sum + devices, 0),
      ),
    ],
    previewHash: row.hash,
  };
}

function opensTooLate(
  {
    window,
    deliverWithinSecs = defaults.deliverWithinSecs,
  }: Pick<GivenDefinition, 'window' | 'deliverWithinSecs'>,
  now: Date,
): boolean {
  if (window === undefined) return false;
  return nextWindow(window, now).opensAt.getTime() >= now.getTime() + deliverWithinSecs * 1000;
}

function shownWindow(window: NonNullable<GivenDefinition['window']>, now: Date) {
  const { opensAt, closesAt } = nextWindow(window, now);
  return { opensAt: opensAt.toISOString(), closesAt: closesAt.toISOString() };
}

/** A short text that is equal for equal steps and devices; `e` are the devices. */
export function hashSql(steps: Plan['steps']): RawBuilder<string> {
  const ofDevices = [0, 1].map(
    (seed) => sql`coalesce(sum(hashtextextended(e.device_id, ${sql.lit(seed)})), 0)`,
  );
  return sql<string>`left(encode(sha256(convert_to(concat_ws(' ', ${JSON.stringify(steps)}::jsonb::text, count(*), ${sql.join(ofDevices)}), 'UTF8')), 'hex'), 32)`;
}

async function readSelection(tx: Database, plan: Plan, matched: RawBuilder<unknown>): Promise<Row> {
  const { rows } = await sql<Row>`
    ${sql.raw(planEachTime)}
    with matched as materialized (${matched}),
    excluded as (
      select reason, count(*) as count from matched where reason is not null group by reason order by count(*) desc limit 50
    )
    select (select count(*) from matched) as matched, count(*) as eligible, count(*) filter (where not e.is_connected) as offline,
      count(*) filter (where e.is_busy) as busy, ${hashSql(plan.steps)} as hash,
      (select jsonb_agg(jsonb_build_object('reason', x.reason, 'count', x.count, 'sample', (
          select jsonb_agg(jsonb_build_object('id', s.device_id, 'name', s.name)) from (
            select device_id, name from matched where reason = x.reason limit ${sql.lit(mostInSample)}) as s
        )) order by x.count desc, x.reason) from excluded x) as excluded,
      ${changesSql(plan)} as changes
    from matched e where e.reason is null`.execute(tx);
  return rows[0] as Row;
}

/** SQL of a value as previews show it. */
export const shownSql = (value: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`case when length(${value}::text) > ${sql.lit(longestShown)} then '"…"'::jsonb else ${value} end`;

/** SQL of what devices have now of what an operation changes, with counts, as JSON. */
function changesSql({ steps, version }: Plan): RawBuilder<unknown> {
  const parts = steps.flatMap((step, index) =>
    step.kind === 'SetDeviceProperty' || step.kind === 'RemoveDeviceProperty'
      ? [
          sql`select ${sql.lit(index)}::int as step, ${shownSql(sql`p.value`)} as value, count(*) as count
            from matched m left join device_properties p on p.device_id = m.device_id and p.name = ${step.name}
            where m.reason is null group by 2`,
        ]
      : [],
  );
  const installs = sql`select -1 as step, to_jsonb(coalesce(v.name, ${ids.packageVersion.tag} || '_' || m.from_version)) as value, count(*) as count
    from matched m left join package_versions v on v.version_id = m.from_version where m.reason is null group by 2`;
  // An install sets properties that say what is wanted: what changes is the version.
  const all = version === undefined ? parts : [installs];
  if (all.length === 0) return sql`null::jsonb`;
  return sql`(select jsonb_agg(jsonb_build_object('step', c.step, 'from', c.value, 'isAbsent', c.value is null, 'count', c.count) order by c.count desc)
    from (select * from (${sql.join(all, sql` union all `)}) as c order by c.count desc limit ${sql.lit(mostChanges)}) as c)`;
}

function changesOf({ changes }: Row, { steps, version }: Plan): Preview['changes'] {
  return (changes ?? []).map(({ step: index, from, isAbsent, count }) => {
    const step = steps[index];
    const what =
      version === undefined
        ? (step as { readonly name: string }).name
        : `${version.repository}/${version.package}`;
    const to =
      version === undefined ? (step?.kind === 'SetDeviceProperty' ? step.value : undefined) : version.version;
    return { what, ...(isAbsent ? {} : { from }), ...(to === undefined ? {} : { to }), count };
  });
}

function excludedBy({ excluded }: Row): Preview['excluded'] {
  return (excluded ?? []).map(({ reason, count, sample }) => ({
    reason,
    count,
    sample: sample.map(({ id, name }) => ({
      deviceId: ids.device.of(id),
      ...(name === null ? {} : { name }),
    })),
  }));
}

/** Devices of which a condition could not be decided, by the reason. */
function erroneous(errors: Eligibility['errors']): Preview['excluded'] {
  const byReason = Map.groupBy(errors, ({ error }) => error);
  return [...byReason].slice(0, 50).map(([error, devices]) => ({
    reason: `A condition could not be decided: ${error}`,
    count: devices.length,
    sample: devices.slice(0, mostInSample).map(({ deviceId }) => ({ deviceId: ids.device.of(deviceId) })),
  }));
}

function warningsOf({ eligible, busy, offline }: Row, { steps, version }: Plan, inStages: number): string[] {
  const devices = (count: number, has: string, have: string) =>
    count === 1 ? `1 device ${has}` : `${count.toLocaleString('en')} devices ${have}`;
  // An install can be undone: devices get the version back that they had.
  const isLasting =
    version === undefined && steps.some(({ kind }) => kind === 'DeviceCommand' || kind === 'DeviceTask');
  return [
    ...(busy > 0
      ? [
          `${devices(busy, 'does', 'do')} another operation now and ${busy === 1 ? 'begins' : 'begin'} when it ends.`,
        ]
      : []),
    ...(offline > 0
      ? [
          `${devices(offline, 'is', 'are')} not connected and ${offline === 1 ? 'begins' : 'begin'} when ${offline === 1 ? 'it connects' : 'they connect'}.`,
        ]
      : []),
    ...(inStages < eligible
      ? [`${devices(eligible - inStages, 'is', 'are')} in no stage, since the last one has less than 100 %.`]
      : []),
    ...(isLasting ? ['What commands do cannot be undone from here.'] : []),
  ];
}
