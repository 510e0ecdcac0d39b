import { type AlertEnd, ids } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { LookedRule } from './rules-to-look-at.ts';

/** What of a rule waits to be told. */
export interface Waiting {
  readonly count: number;
  /** When the first of it happened, and the last; null of nothing. */
  readonly firstAt: string | null;
  readonly lastAt: string | null;
}

/** What of a rule nobody was told yet. */
export interface Untold extends Waiting {
  readonly fired: number;
  readonly ended: number;
  /** Of those that fired: how many came back. */
  readonly unstable: number;
  /** How many fire or are acknowledged. */
  readonly firing: number;
  /** How many fire, were told, and are to be told again. */
  readonly toRemind: number;
  /** Whether one of these is due. */
  readonly isReminderDue: boolean;
}

type Of = Pick<LookedRule, 'ruleId' | 'remindSecs'>;

/** The condition that an alert `a` that fires was not told yet; and the same of one that has ended. */
const hasFired = sql<boolean>`(a.to_tell = 'Fired' and a.state = 'Firing')`;
const hasEnded = sql<boolean>`(a.to_tell = 'Ended')`;

/** Counts what of a rule was not told and is not muted. */
export async function readUntold(
  tx: Database,
  { ruleId, remindSecs }: Of,
  isMuted: RawBuilder<boolean>,
  now: Date,
): Promise<Untold> {
  const isReminded = sql<boolean>`(a.state = 'Firing' and a.is_told and a.to_tell is null and not ${isMuted} and ${remindSecs !== null})`;
  const remindedBefore = new Date(now.getTime() - (remindSecs ?? 0) * 1000);
  const isTold = sql`(a.to_tell is not null and (${hasFired} or ${hasEnded}) and not ${isMuted})`;
  const at = sql`case a.to_tell when 'Fired' then a.fired_at else a.ended_at end`;
  const { rows } = await sql<Untold>`
    select count(*) filter (where ${isTold})::int as count, count(*) filter (where ${isTold} and ${hasFired})::int as fired,
      count(*) filter (where ${isTold} and ${hasEnded})::int as ended, count(*) filter (where ${isTold} and ${hasFired} and a.flaps > 0)::int as unstable,
      min(${at}) filter (where ${isTold}) as "firstAt", max(${at}) filter (where ${isTold}) as "lastAt",
      count(*) filter (where a.state in ('Firing', 'Acknowledged'))::int as firing, count(*) filter (where ${isReminded})::int as "toRemind",
      coalesce(bool_or(${isReminded} and coalesce(a.reminded_at, a.fired_at) <= ${remindedBefore}), false) as "isReminderDue"
    from alerts a where a.rule_id = ${ruleId} and (a.ended_at is null or a.to_tell is not null)`.execute(tx);
  return rows[0] as Untold;
}

/** An alert as messages name it. */
export type NamedAlert = {
  readonly alertId: string;
  readonly subject: string;
  readonly deviceId?: string;
  readonly fleetOperationId?: string;
  readonly since: string;
  readonly end?: AlertEnd;
  readonly endedAt?: string;
};

const mostNamed = 10;

/** Which alerts a message names. */
export type Which = 'Fired' | 'Ended' | 'Reminded';

const conditions: Readonly<Record<Which, RawBuilder<boolean>>> = {
  Fired: hasFired,
  Ended: hasEnded,
  Reminded: sql<boolean>`(a.state = 'Firing' and a.is_told and a.to_tell is null)`,
};

/** Reads the first ten of the alerts of a rule that are told. */
export async function readNamed(
  tx: Database,
  { ruleId, condition }: Pick<LookedRule, 'ruleId' | 'condition'>,
  which: Which,
  isMuted: RawBuilder<boolean>,
): Promise<NamedAlert[]> {
  const { rows } = await sql<NamedRow>`
    select a.alert_id, a.subject, a.subject_name, a.since, a.ended_at, a.end_reason from alerts a
    where a.rule_id = ${ruleId} and (a.ended_at is null or a.to_tell is not null) and ${conditions[which]} and not ${isMuted}
    order by a.since, a.alert_id limit ${sql.lit(mostNamed)}`.execute(tx);
  return rows.map((row) => ({
    alertId: ids.alert.of(row.alert_id),
    subject: row.subject_name,
    ...idOf(condition.kind, row.subject),
    since: row.since,
    ...(row.ended_at === null || row.end_reason === null
      ? {}
      : { end: row.end_reason, endedAt: row.ended_at }),
  }));
}

interface NamedRow {
  readonly alert_id: string;
  readonly subject: string;
  readonly subject_name: string;
  readonly since: string;
  readonly ended_at: string | null;
  readonly end_reason: AlertEnd | null;
}

function idOf(
  kind: LookedRule['condition']['kind'],
  subject: string,
): Pick<NamedAlert, 'deviceId' | 'fleetOperationId'> {
  if (kind === 'Operations') return { fleetOperationId: ids.fleetOperation.of(subject) };
  const isDevice =
    kind === 'Offline' ||
    kind === 'Matching' ||
    kind === 'Events' ||
    (kind === 'Quota' && subject !== 'devices');
  return isDevice ? { deviceId: ids.device.of(subject) } : {};
}

/** Notes that what waited was told, or that nobody is there whom it could be told. */
export async function recordTold(
  tx: Database,
  ruleId: string,
  {
    isMuted,
    count,
    hasReached,
    now,
  }: {
    readonly isMuted: RawBuilder<boolean>;
    readonly count: number;
    readonly hasReached: boolean;
    readonly now: Date;
  },
): Promise<void> {
  await sql`
    update alerts a set is_told = case when a.to_tell = 'Fired' then ${hasReached} else a.is_told end, to_tell = null,
      reminded_at = case when a.to_tell = 'Fired' then null else a.reminded_at end
    where a.rule_id = ${ruleId} and a.to_tell is not null and (${hasFired} or ${hasEnded}) and not ${isMuted}`.execute(
    tx,
  );
  await sql`update alert_rules set told_at = ${now}, told_count = ${count} where rule_id = ${ruleId}`.execute(
    tx,
  );
}

/** Notes that what fires was told again. */
export async function recordReminded(
  tx: Database,
  ruleId: string,
  isMuted: RawBuilder<boolean>,
  now: Date,
): Promise<void> {
  await sql`
    update alerts a set reminded_at = ${now}
    where a.rule_id = ${ruleId} and a.ended_at is null and ${conditions.Reminded} and not ${isMuted}`.execute(
    tx,
  );
}
