import { datedRaw } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { allowLongStatements } from '../../../platform/db/allow-long-statements.ts';
import { type Database, planEachTime } from '../../../platform/db/connect.ts';
import { newIdSql } from '../../../platform/db/new-id-sql.ts';
import { reconnectSecs } from './away.ts';
import { quietMs } from './found-events.ts';
import type { Found } from './found-subjects.ts';
import type { LookedRule } from './rules-to-look-at.ts';

/** A look at a rule. */
export interface Look {
  readonly rule: LookedRule;
  readonly found: Found;
  readonly now: Date;
}

/** One that ended comes back as the same alert within this time, and then ends only after it. */
const flapSecs = 600;
/** A pending alert fires at most so long after its time has passed, but for that in which no hub could see devices. */
const mostDelayedSecs = flapSecs;

/** Writes what a look found: begins, goes on with, and ends alerts. Returns how many have changed. */
export async function writeFound(tx: Database, look: Look): Promise<number> {
  const { rule, found, now } = look;
  const isEvents = rule.condition.kind === 'Events';
  const ofRule = sql`a.rule_id = ${rule.ruleId} and a.ended_at is null`;
  // When a whole fleet of 200,000 devices leaves, its rows take a slow machine more than the usual time of a statement.
  await allowLongStatements(tx);
  const { rows } = await sql<{ changed: number }>`
    ${sql.raw(planEachTime)}
    with found as materialized (${found.select}),
    open as materialized (
      select a.alert_id, a.subject, a.state, a.flaps, a.good_since, ${hasSubject(rule)} as has_subject, f.subject is not null as is_found
      from alerts a left join found f on f.subject = a.subject where ${ofRule}
    ),
    begun as (
      insert into alerts (alert_id, rule_id, subject, subject_name, state, since, fires_at, good_since)
        select ${alertIdSql(now)}, ${rule.ruleId}, f.subject, ${plainName(sql`f.name`)}, 'Pending', least(f.since, ${now}), ${firesAt(look)}, f.seen_at
        from found f where not exists (select 1 from open o where o.subject = f.subject)
      returning 1
    ),
    kept as (${goOn(look, ofRule)} returning 1),
    forgotten as (
      delete from alerts a using open o where a.alert_id = o.alert_id and o.state = 'Pending' and ${isEvents ? sql`not o.has_subject` : sql`not o.is_found`}
      returning 1
    ),
    ended as (
      update alerts a set state = 'Resolved', ended_at = ${now}, end_reason = case when o.has_subject then 'Recovered' else 'SubjectDeleted' end,
        to_tell = case when a.is_told then 'Ended' end
      from open o where a.alert_id = o.alert_id and o.state <> 'Pending' and (not o.has_subject or ${isEvents ? hasBeenQuiet(now) : isOver(now)})
      returning 1
    ),
    waiting as (
      update alerts a set good_since = ${now} from open o
      where a.alert_id = o.alert_id and ${!isEvents} and o.state <> 'Pending' and o.has_subject and not o.is_found and o.flaps > 0
        and (o.good_since is null or o.good_since > ${now})
      returning 1
    )
    select (select count(*) from begun) + (select count(*) from forgotten) + (select count(*) from ended) as changed`.execute(
    tx,
  );
  return Number(rows[0]?.changed ?? 0);
}

/** The dated raw id of a new alert. */
function alertIdSql(now: Date): RawBuilder<string> {
  const minute = datedRaw(now.getTime(), (count) => new Uint8Array(count)).slice(0, -idSymbols);
  return sql<string>`${minute} || left(${newIdSql}, ${sql.lit(idSymbols)})`;
}

const idSymbols = 8;

/** SQL of a name that is one line, cannot turn the direction of what follows it, and is not long. */
function plainName(name: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`left(btrim(regexp_replace(left(${name}, 1000), '[\\u0001-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]+', ' ', 'g')), 200)`;
}

/** Whether what an alert `a` is about still exists, and in the same project. */
function hasSubject({ condition, projectId }: LookedRule): RawBuilder<boolean> {
  const device = sql<boolean>`exists (select 1 from devices d where d.device_id = a.subject and d.project_id = ${projectId})`;
  switch (condition.kind) {
    case 'Offline':
    case 'Matching':
    case 'Events':
      return device;
    case 'Quota':
      return sql<boolean>`(a.subject = 'devices' or ${device})`;
    case 'Operations':
      return sql<boolean>`exists (select 1 from fleet_operations f where f.fleet_operation_id = a.subject)`;
    case 'Hub':
      return sql<boolean>`(a.subject not like 'node:%' or exists (select 1 from cluster_nodes n where 'node:' || n.node_id = a.subject))`;
    case 'Missing':
      return sql<boolean>`true`;
  }
}

/** Whether an open alert `o` about events has ended: good_since is when the last event came. */
function hasBeenQuiet(now: Date): RawBuilder<boolean> {
  return sql<boolean>`(o.is_found is not true and o.good_since <= ${new Date(now.getTime() - quietMs)})`;
}

/** Whether an open alert `o` about anything else has ended: one that came back only after ten minutes. */
function isOver(now: Date): RawBuilder<boolean> {
  return sql<boolean>`(not o.is_found and (o.flaps = 0 or o.good_since <= ${new Date(now.getTime() - flapSecs * 1000)}))`;
}

/** For how long it has to be so. */
function forSecsOf({ condition }: LookedRule): number {
  return 'forSecs' in condition ? condition.forSecs : 0;
}

/** When what was found, `f`, fires. What began while no hub was there begins when devices that are well have come back. */
function firesAt({ rule, found, now }: Look): RawBuilder<Date> {
  const resumedAt = resumedSince(rule);
  if (resumedAt === undefined || found.blindness !== 'Window') return sql<Date>`f.fires_at`;
  const fromWindow = new Date(resumedAt.getTime() + (reconnectSecs + forSecsOf(rule)) * 1000);
  return sql<Date>`case when f.since >= ${rule.lookedAt ?? now}::timestamptz then greatest(f.fires_at, ${fromWindow}) else f.fires_at end`;
}

/** When a hub began to look again, unless the rule was looked at since. */
function resumedSince({ lookedAt, resumedAt }: LookedRule): Date | undefined {
  if (lookedAt === null || resumedAt === null || Date.parse(lookedAt) >= Date.parse(resumedAt))
    return undefined;
  return new Date(resumedAt);
}

/** By how many seconds pending alerts fire later, since no hub could see devices. */
function shiftSecs({ rule, found }: Look): number {
  const resumedAt = resumedSince(rule);
  if (resumedAt === undefined || found.blindness === 'None') return 0;
  const gapSecs = (resumedAt.getTime() - Date.parse(rule.lookedAt ?? '')) / 1000;
  return gapSecs + (found.blindness === 'Window' ? reconnectSecs : 0);
}

/** Goes on with alerts `a` that were found again: of devices that came back and left again meanwhile their time begins anew, times that are still to come are now. */
function goOn(look: Look, ofRule: RawBuilder<unknown>): RawBuilder<unknown> {
  const { rule, now } = look;
  if (rule.condition.kind === 'Events')
    return sql`update alerts a set good_since = f.seen_at from found f where ${ofRule} and a.subject = f.subject and f.seen_at > a.good_since`;
  const shift = shiftSecs(look);
  const isAgain = sql`(${rule.condition.kind === 'Offline'} and a.state = 'Pending' and f.since > a.since and f.since < ${now})`;
  const isLate = sql`a.fires_at > ${new Date(now.getTime() + (forSecsOf(rule) + mostDelayedSecs) * 1000)}`;
  return sql`
    update alerts a set since = case when ${isAgain} then f.since else least(a.since, ${now}) end,
      fires_at = case when a.state <> 'Pending' then a.fires_at when ${isAgain} then ${firesAt(look)}
        when ${isLate} then ${new Date(now.getTime() + forSecsOf(rule) * 1000)} else a.fires_at + make_interval(secs => ${shift}) end,
      fired_at = least(a.fired_at, ${now}), reminded_at = least(a.reminded_at, ${now}),
      flaps = a.flaps + case when a.good_since is null then 0 else 1 end, good_since = null
    from found f where ${ofRule} and a.subject = f.subject
      and (a.good_since is not null or a.since > ${now} or a.fired_at > ${now} or (a.state = 'Pending' and (${isAgain} or ${isLate} or ${shift > 0})))`;
}

/** Lets what has been so for long enough fire; what ended within ten minutes is that alert again. Returns how many fire. */
export async function fire(tx: Database, { rule, now }: Look): Promise<number> {
  const isDue = sql`p.rule_id = ${rule.ruleId} and p.state = 'Pending' and p.fires_at <= ${now}`;
  const again = await sql`
    with again as (
      delete from alerts p using alerts o where ${isDue} and o.rule_id = p.rule_id and o.subject = p.subject and o.state = 'Resolved'
        and o.end_reason = 'Recovered' and o.ended_at between ${new Date(now.getTime() - flapSecs * 1000)} and ${now}
      returning o.alert_id, p.since, p.good_since
    )
    update alerts a set state = 'Firing', since = again.since, fired_at = ${now}, good_since = again.good_since, ended_at = null, end_reason = null,
      flaps = a.flaps + 1, acknowledged_at = null, acknowledged_by = null, reminded_at = null,
      to_tell = case when a.to_tell = 'Ended' then null else 'Fired' end, is_told = coalesce(a.to_tell = 'Ended', false)
    from again where a.alert_id = again.alert_id`.execute(tx);
  const fired = await sql`
    update alerts p set state = 'Firing', fired_at = ${now}, to_tell = 'Fired' where ${isDue}`.execute(tx);
  return Number((again.numAffectedRows ?? 0n) + (fired.numAffectedRows ?? 0n));
}
