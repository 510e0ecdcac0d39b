import { sql, type RawBuilder } from 'kysely';
import { newDatedRawId, newRawId } from '../src/auth/random.ts';
import { system } from './fresh-executor.ts';

/** A project, by its raw id, and times for rows in it. */
interface Place {
  readonly project: string;
  readonly at: () => Date;
}

const by = JSON.stringify(system);
const aRule = 'r'.repeat(22);

/** SQL that adds an alert rule, unless there is one with this id. */
export function alertRuleRow(
  { project, at }: Place,
  ruleId: string,
  name: string | undefined,
): RawBuilder<unknown> {
  const severity = ['Info', 'Warning', 'Critical'][Math.floor(Math.random() * 3)];
  return sql`
    insert into alert_rules (rule_id, project_id, name, condition, severity, channels, created_by, created_at, next_look_at)
    values (${ruleId}, ${project}, ${name}, '{"kind":"Offline","forSecs":60}', ${severity}, '{"mails":"None"}', ${by}, ${at()}, ${at()})
    on conflict do nothing`;
}

/** SQL that adds an alert of a rule, in any state. */
export function alertRow(place: Place): RawBuilder<unknown> {
  const { at } = place;
  return sql`
    with rule as (${alertRuleRow(place, aRule, 'Mill')}), state as (
      select (array['Pending', 'Firing', 'Acknowledged', 'Resolved'])[1 + floor(random() * 4)::int] as state
    )
    insert into alerts (alert_id, rule_id, subject, subject_name, state, since, ended_at)
    select ${newDatedRawId(at())}, rule_id, ${newRawId()}, 'Plant', state, ${at()}, case when state = 'Resolved' then ${at()}::timestamptz end
    from state, (
      select rule_id from (select ${aRule} as rule_id union select rule_id from alert_rules) as r order by random() limit 1) as rules`;
}

/** SQL that mutes a device. */
export function alertMuteRow({ project, at }: Place): RawBuilder<unknown> {
  return sql`
    insert into alert_mutes (mute_id, project_id, device_id, until, created_by, created_at)
    values (${newRawId()}, ${project}, ${newRawId()}, '2100-01-01', ${by}, ${at()})`;
}
