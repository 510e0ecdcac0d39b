import type { AlertChannels, AlertCondition, AlertSeverity, MaintenanceWindow } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

/** A rule that is looked at; ids are raw. */
export interface LookedRule {
  readonly ruleId: string;
  /** Null: of the instance. */
  readonly projectId: string | null;
  readonly projectName: string | null;
  readonly name: string;
  readonly condition: AlertCondition;
  readonly severity: AlertSeverity;
  readonly channels: AlertChannels;
  readonly remindSecs: number | null;
  readonly quietHours: MaintenanceWindow | null;
  readonly isEnabled: boolean;
  readonly lookedAt: string | null;
  /** Of a rule about events: up to when it has seen those that were received. */
  readonly cursor: string | null;
  readonly toldAt: string | null;
  readonly toldCount: number;
  /** When a hub began to look after rules after none had. */
  readonly resumedAt: string | null;
}

/** No rule rests for longer; one that does was written before the clock was set back. */
const longestRestMs = 10 * 60_000;

/** The condition that it is the turn of a rule `r`. */
function isDue(now: Date): RawBuilder<boolean> {
  return sql<boolean>`((r.next_look_at <= ${now} or r.next_look_at > ${new Date(now.getTime() + longestRestMs)})
    and (r.is_enabled or exists (select 1 from alerts a where a.rule_id = r.rule_id and a.to_tell is not null)))`;
}

const mostAtOnce = 100;

/** The rules whose turn it is, by raw id, those that wait longest first. */
export async function findDueRules(tx: Database, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select r.rule_id as id from alert_rules r where ${isDue(now)} order by r.next_look_at limit ${mostAtOnce}`.execute(
    tx,
  );
  return rows.map(({ id }) => id);
}

/** Locks a rule whose turn it is; undefined if another node looks at it, somebody changes it, or its turn is over. */
export async function lockDueRule(tx: Database, ruleId: string, now: Date): Promise<LookedRule | undefined> {
  const { rows } = await sql<LookedRule>`
    select r.rule_id as "ruleId", r.project_id as "projectId", r.name, r.condition, r.severity, r.channels, r.remind_secs as "remindSecs",
      r.quiet_hours as "quietHours", r.is_enabled as "isEnabled", r.looked_at as "lookedAt", r.cursor #>> '{}' as cursor, r.told_at as "toldAt",
      r.told_count as "toldCount", (select w.resumed_at from alert_watch w) as "resumedAt",
      (select p.name from projects p where p.project_id = r.project_id) as "projectName"
    from alert_rules r where r.rule_id = ${ruleId} and ${isDue(now)} for update of r skip locked`.execute(tx);
  return rows[0];
}

/** Lets a rule rest that could not be looked at. */
export async function deferRule(tx: Database, ruleId: string, until: Date): Promise<void> {
  await sql`update alert_rules set next_look_at = ${until} where rule_id = ${ruleId}`.execute(tx);
}

/** What a look leaves in its rule. */
interface Looked {
  readonly at: Date;
  readonly nextLookAt: Date;
  /** False where it saw nothing: the rule has a problem, or devices are just coming back. */
  readonly hasSeen: boolean;
  readonly problem: string | undefined;
}

/** Notes that a rule was looked at. */
export async function recordLook(
  tx: Database,
  ruleId: string,
  { at, nextLookAt, hasSeen, problem }: Looked,
): Promise<void> {
  await sql`
    update alert_rules set next_look_at = ${nextLookAt}, problem = ${problem ?? null},
      looked_at = case when ${hasSeen} then ${at} else looked_at end, cursor = case when ${hasSeen} then to_jsonb(${at}::timestamptz) else cursor end
    where rule_id = ${ruleId}`.execute(tx);
}

/** After so long in which no hub noted that it is there, none was. */
const gapSecs = 15;
const notedEverySecs = 5;

/** Notes that hubs look after rules, and when one began to after none had. */
export async function noteWatch(tx: Database, now: Date): Promise<void> {
  await sql`
    insert into alert_watch as w (watched_at, resumed_at) values (${now}, ${now})
    on conflict (is_only) do update set watched_at = ${now},
      resumed_at = case when w.watched_at < ${new Date(now.getTime() - gapSecs * 1000)} then ${now} when w.resumed_at > ${now} then null else w.resumed_at end
    where w.watched_at < ${new Date(now.getTime() - notedEverySecs * 1000)} or w.watched_at > ${now}`.execute(
    tx,
  );
}

/** Deletes some of the alerts that ended before a time. */
export async function deleteOldAlerts(tx: Database, before: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from alerts where alert_id = any(array(select alert_id from alerts where ended_at < ${before} limit ${sql.lit(deletedAtOnce)} for update skip locked))`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0n);
}

const deletedAtOnce = 5_000;
