import {
  ActionError,
  type Actor,
  type AlertChannels,
  type AlertCondition,
  type AlertSeverity,
  type MaintenanceWindow,
} from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { newRawId } from '../../../auth/random.ts';
import { amounts } from '../../../limits/amounts.ts';
import type { Database } from '../../../platform/db/connect.ts';

/** What people say of a rule. */
export interface RuleFields {
  readonly name: string;
  readonly condition: AlertCondition;
  readonly severity: AlertSeverity;
  readonly channels: AlertChannels;
  readonly remindSecs: number | undefined;
  readonly quietHours: MaintenanceWindow | undefined;
}

/** Whose rules, by the raw id of the project; null for those of the instance. The statement's table is `r`. */
export function ofPlace(projectId: string | null): RawBuilder<boolean> {
  return projectId === null ? sql<boolean>`r.project_id is null` : sql<boolean>`r.project_id = ${projectId}`;
}

/** Who makes a rule, where and when. */
interface Making {
  readonly projectId: string | null;
  readonly actor: Actor;
  readonly now: Date;
}

/** Adds a rule and returns its raw id. Throws an `ActionError` of kind Invalid where there are too many. */
export async function addRule(
  tx: Database,
  { name, condition, severity, channels, remindSecs, quietHours }: RuleFields,
  { projectId, actor, now }: Making,
): Promise<string> {
  // Two at the same time are counted one after the other.
  await sql`select 1 from projects where project_id = ${projectId} for no key update`.execute(tx);
  const ruleId = newRawId();
  const { max } = amounts.alertRules;
  const { numAffectedRows } = await sql`
    insert into alert_rules (rule_id, project_id, name, condition, severity, channels, remind_secs, quiet_hours, created_by, created_at, next_look_at)
    select ${ruleId}, ${projectId}, ${name}, ${JSON.stringify(condition)}::jsonb, ${severity}, ${JSON.stringify(channels)}::jsonb,
      ${remindSecs ?? null}, ${jsonOrNull(quietHours)}::jsonb, ${JSON.stringify(actor)}::jsonb, ${now}, ${now}
    where (select count(*) from alert_rules r where ${ofPlace(projectId)}) < ${max}`.execute(tx);
  if (numAffectedRows !== 1n)
    throw new ActionError(
      'Invalid',
      `${projectId === null ? 'The instance' : 'A project'} may have at most ${max} alert rules. Delete one first.`,
    );
  return ruleId;
}

function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/** What a rule was changed to. */
interface RuleChange extends RuleFields {
  readonly isEnabled: boolean;
}

/**
 * Changes a rule; false if there is none any more. One with another condition, and one that is disabled or enabled, begins anew: its alerts end. The row stays locked: nobody looks
 * after the rule meanwhile.
 */
export async function changeRule(
  tx: Database,
  ruleId: string,
  { name, condition, severity, channels, remindSecs, quietHours, isEnabled }: RuleChange,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql<{ isSame: boolean }>`
    select condition = ${JSON.stringify(condition)}::jsonb and is_enabled = ${isEnabled} as "isSame" from alert_rules
    where rule_id = ${ruleId} for no key update`.execute(tx);
  const [before] = rows;
  if (before === undefined) return false;
  await sql`
    update alert_rules set name = ${name}, condition = ${JSON.stringify(condition)}::jsonb, severity = ${severity},
      channels = ${JSON.stringify(channels)}::jsonb, remind_secs = ${remindSecs ?? null}, quiet_hours = ${jsonOrNull(quietHours)}::jsonb,
      is_enabled = ${isEnabled}, next_look_at = ${now}
    where rule_id = ${ruleId}`.execute(tx);
  if (!before.isSame) await beginAnew(tx, ruleId, now);
  return true;
}

async function beginAnew(tx: Database, ruleId: string, now: Date): Promise<void> {
  await sql`update alert_rules set looked_at = null, cursor = null, problem = null where rule_id = ${ruleId}`.execute(
    tx,
  );
  await sql`delete from alerts where rule_id = ${ruleId} and state = 'Pending'`.execute(tx);
  await sql`
    update alerts set state = 'Resolved', ended_at = ${now}, end_reason = 'RuleChanged', good_since = null,
      to_tell = case when is_told and to_tell is null then 'Ended' end
    where rule_id = ${ruleId} and state in ('Firing', 'Acknowledged')`.execute(tx);
}

/** Deletes a rule with its alerts; its name, or undefined if there is none any more. */
export async function deleteRule(tx: Database, ruleId: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    delete from alert_rules where rule_id = ${ruleId} returning name`.execute(tx);
  return rows[0]?.name;
}

/** A rule as its messages name it; ids are raw. */
interface NamedRule extends Pick<RuleFields, 'name' | 'condition' | 'severity' | 'channels'> {
  readonly ruleId: string;
  readonly projectId: string | null;
  readonly projectName: string | null;
}

/** Reads a rule; undefined if there is none any more. */
export async function readRule(tx: Database, ruleId: string): Promise<NamedRule | undefined> {
  const { rows } = await sql<NamedRule>`
    select r.rule_id as "ruleId", r.project_id as "projectId", p.name as "projectName", r.name, r.condition, r.severity, r.channels
    from alert_rules r left join projects p using (project_id) where r.rule_id = ${ruleId}`.execute(tx);
  return rows[0];
}
