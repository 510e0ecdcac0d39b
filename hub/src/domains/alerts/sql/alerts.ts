import type { Actor, AlertEnd, AlertSeverity, AlertState, Output } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { planEachTime, type Database } from '../../../platform/db/connect.ts';
import type { KeyValue } from '../../../platform/db/paging/cursor.ts';
import { listOrder, sortKey, type Slice } from '../../../platform/db/paging/list-order.ts';

/** An alert as it is read. */
export interface AlertRow {
  readonly alert_id: string;
  readonly is_open: boolean;
  readonly rank: number;
  readonly rule_id: string;
  readonly rule_name: string;
  readonly project_id: string | null;
  readonly project_name: string | null;
  /** The device or the operation that it is about, while there is one. */
  readonly device_id: string | null;
  readonly fleet_operation_id: string | null;
  readonly severity: AlertSeverity;
  readonly state: AlertState;
  readonly subject: string;
  readonly subject_name: string;
  readonly since: string;
  readonly fired_at: string | null;
  readonly acknowledged_by: Actor | null;
  readonly acknowledged_at: string | null;
  readonly ended_at: string | null;
  readonly end_reason: AlertEnd | null;
  readonly flaps: number;
  readonly is_told: boolean;
}

const severities = ['Info', 'Warning', 'Critical'] as const;

/** Those that have not ended first, the most severe before others, then the newest. */
export const mostUrgentFirst = listOrder<AlertRow>('alerts_QueryAlerts', 'desc', [
  sortKey('is_open', 'boolean'),
  sortKey('rank', 'bigint'),
  sortKey('alert_id', 'text'),
]);

/** The parts of the list, in its order: within one only the id decides. */
const parts = [true, false].flatMap((isOpen) =>
  severities.map((severity, rank) => ({ isOpen, severity, rank })).toReversed(),
);
type Part = (typeof parts)[number];

/** Which alerts are meant; ids are raw. */
export interface AlertSelection {
  /** The condition on the rules, as `r`. */
  readonly rules: RawBuilder<boolean>;
  readonly states: readonly AlertState[];
  readonly severity?: AlertSeverity | undefined;
  readonly ruleId?: string | undefined;
  readonly deviceId?: string | undefined;
  readonly firedFrom?: string | undefined;
  readonly firedBefore?: string | undefined;
}

/** The condition on the rules `r` of a selection. */
function rulesOf({ rules, severity, ruleId }: AlertSelection): RawBuilder<boolean> {
  return sql<boolean>`(${rules} and ${severity === undefined ? sql`true` : sql`r.severity = ${severity}`}
    and ${ruleId === undefined ? sql`true` : sql`r.rule_id = ${ruleId}`})`;
}

function alertsOf({ deviceId, firedFrom, firedBefore }: AlertSelection): RawBuilder<boolean> {
  return sql<boolean>`(${deviceId === undefined ? sql`true` : sql`a.subject = ${deviceId}`}
    and ${firedFrom === undefined ? sql`true` : sql`a.fired_at >= ${firedFrom}`}
    and ${firedBefore === undefined ? sql`true` : sql`a.fired_at < ${firedBefore}`})`;
}

/** Reads a slice of a list of alerts, part by part until there are enough. */
export async function readAlerts(
  tx: Database,
  selection: AlertSelection,
  { position, limit }: Slice,
): Promise<AlertRow[]> {
  const rows: AlertRow[] = [];
  const from = parts.findIndex(({ isOpen, rank }) => isOpen === position?.[0] && rank === position[1]);
  for (const [index, part] of parts.entries()) {
    const wanted = limit - rows.length;
    const isSelected = selection.severity === undefined || selection.severity === part.severity;
    if (index < from || !isSelected || wanted === 0) continue;
    rows.push(
      ...(await readPart(tx, selection, part, {
        wanted,
        before: index === from ? position?.[2] : undefined,
      })),
    );
  }
  return rows;
}

/** Reads of each rule and state of a part the newest by index, and of these the newest. */
async function readPart(
  tx: Database,
  selection: AlertSelection,
  { isOpen, severity, rank }: Part,
  { wanted, before }: { readonly wanted: number; readonly before: KeyValue | undefined },
): Promise<AlertRow[]> {
  const states = selection.states.filter((state) => (state !== 'Resolved') === isOpen);
  if (states.length === 0) return [];
  const { rows } = await sql<AlertRow>`
    select a.*, ${isOpen}::boolean as is_open, ${rank}::bigint as rank, s.state, r.rule_id, r.name as rule_name, r.severity,
      r.project_id, p.name as project_name, d.device_id, o.fleet_operation_id
    from alert_rules r
    cross join unnest(${states}::text[]) as s(state)
    cross join lateral (
      select a.alert_id, a.subject, a.subject_name, a.since, a.fired_at, a.acknowledged_by, a.acknowledged_at, a.ended_at, a.end_reason, a.flaps, a.is_told
      from alerts a where a.rule_id = r.rule_id and a.state = s.state and ${alertsOf(selection)}
        and ${before === undefined ? sql`true` : sql`a.alert_id < ${before}`}
      order by a.alert_id desc limit ${wanted}
    ) as a
    left join projects p on p.project_id = r.project_id
    left join devices d on d.device_id = a.subject and d.project_id = r.project_id
    left join fleet_operations o on o.fleet_operation_id = a.subject and o.project_id = r.project_id
    where ${rulesOf({ ...selection, severity })} order by a.alert_id desc limit ${wanted} ${sql.raw(planEachTime)}`.execute(
    tx,
  );
  return rows;
}

const mostCounted = 1_000;

/** Counts the alerts of the rules that a condition on `alert_rules r` selects, or of all rules, by state, up to 1,000 of each. */
export async function countAlerts(
  tx: Database,
  rules: RawBuilder<boolean> | undefined,
): Promise<Output<'alerts_CountAlerts'>> {
  const countOf = (state: AlertState) => {
    const isCounted = sql`a.state = ${state}`;
    const found =
      rules === undefined
        ? sql`select 1 from alerts a where a.ended_at is null and ${isCounted} order by a.rule_id, a.subject`
        : sql`select 1 from alert_rules r cross join lateral (
            select 1 from alerts a where a.rule_id = r.rule_id and ${isCounted} limit ${sql.lit(mostCounted)}) as a where ${rules}`;
    return sql<number>`(select count(*) from (${found} limit ${sql.lit(mostCounted)}) as counted)`;
  };
  const { rows } = await sql<Output<'alerts_CountAlerts'>>`
    select ${countOf('Pending')} as pending, ${countOf('Firing')} as firing, ${countOf('Acknowledged')} as acknowledged ${sql.raw(planEachTime)}`.execute(
    tx,
  );
  return rows[0] ?? { pending: 0, firing: 0, acknowledged: 0 };
}

/** SQL of the counts of one rule `r` by state, as JSON, up to 1,000 of each. */
export const countsOfRule = sql<Output<'alerts_CountAlerts'>>`json_build_object(${sql.join(
  (['Pending', 'Firing', 'Acknowledged'] as const).map(
    (state) => sql`${sql.lit(state.toLowerCase())}, (
      select count(*) from (select 1 from alerts a where a.rule_id = r.rule_id and a.state = ${sql.lit(state)} limit ${sql.lit(mostCounted)}) as counted)`,
  ),
)})`;

/** What was acknowledged in a project, by its raw id, or in the instance. */
export interface Acknowledged {
  readonly projectId: string | null;
  readonly count: number;
}

/** Acknowledges the alerts of a selection that fire, or those of them that are named. The rules are locked first: nobody looks after them meanwhile. */
export async function acknowledge(
  tx: Database,
  selection: Omit<AlertSelection, 'states'> & { readonly alertIds?: readonly string[] | undefined },
  { actor, now }: { readonly actor: Actor; readonly now: Date },
): Promise<Acknowledged[]> {
  const all = { ...selection, states: [] };
  const named =
    selection.alertIds === undefined
      ? sql`true`
      : sql`r.rule_id in (select a.rule_id from alerts a where a.alert_id = any(${[...selection.alertIds]}::text[]))`;
  const { rows: locked } = await sql<{ rule_id: string }>`
    select r.rule_id from alert_rules r where ${rulesOf(all)} and ${named} order by r.rule_id for no key update`.execute(
    tx,
  );
  const { rows } = await sql<Acknowledged>`
    with changed as (
      update alerts a set state = 'Acknowledged', acknowledged_at = ${now}, acknowledged_by = ${JSON.stringify(actor)}::jsonb
      where a.rule_id = any(${locked.map(({ rule_id: id }) => id)}::text[]) and a.state = 'Firing' and ${alertsOf(all)}
        and ${selection.alertIds === undefined ? sql`true` : sql`a.alert_id = any(${[...selection.alertIds]}::text[])`}
      returning a.rule_id
    )
    select r.project_id as "projectId", count(*) from changed join alert_rules r using (rule_id) group by r.project_id`.execute(
    tx,
  );
  return rows;
}

/** Whether one of these alerts, by raw ids, is of the rules that a condition on `alert_rules r` selects. */
export async function findsAlert(
  tx: Database,
  rules: RawBuilder<boolean>,
  alertIds: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from alerts a join alert_rules r using (rule_id) where a.alert_id = any(${[...alertIds]}::text[]) and ${rules} limit 1`.execute(
    tx,
  );
  return rows.length > 0;
}
