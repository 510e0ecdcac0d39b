import { sql, type Kysely } from 'kysely';

/** Alert rules, what they found, what is muted, and who wants no e-mails of a rule. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createRules(db);
  await createAlerts(db);
  await sql`
    create table alert_mutes (
      mute_id text primary key,
      project_id text references projects on delete cascade,
      rule_id text references alert_rules on delete cascade,
      device_id text,
      filter text,
      until timestamptz,
      daily_window jsonb,
      reason text,
      created_by jsonb not null,
      created_at timestamptz not null,
      check (num_nonnulls(until, daily_window) = 1)
    )`.execute(db);
  await sql`create index alert_mutes_by_project on alert_mutes (project_id, created_at, mute_id)`.execute(db);
  await sql`create index alert_mutes_by_rule on alert_mutes (rule_id) where rule_id is not null`.execute(db);
  await sql`
    create table alert_unsubscriptions (
      rule_id text not null references alert_rules on delete cascade,
      user_id text not null references users on delete cascade,
      primary key (rule_id, user_id)
    )`.execute(db);
  await sql`create index alert_unsubscriptions_by_user on alert_unsubscriptions (user_id)`.execute(db);
  await sql`alter table queued_mails add column rule_id text, add column alert_message jsonb`.execute(db);
}

async function createRules(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table alert_rules (
      rule_id text primary key,
      project_id text references projects on delete cascade,
      name text not null,
      condition jsonb not null,
      severity text not null,
      channels jsonb not null,
      remind_secs integer,
      quiet_hours jsonb,
      is_enabled boolean not null default true,
      created_by jsonb not null,
      created_at timestamptz not null,
      looked_at timestamptz,
      next_look_at timestamptz not null,
      cursor jsonb,
      problem text,
      told_at timestamptz,
      told_count integer not null default 0
    )`.execute(db);
  await sql`create index alert_rules_by_project on alert_rules (project_id)`.execute(db);
  await sql`create index alert_rules_due on alert_rules (next_look_at)`.execute(db);
}

async function createAlerts(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table alerts (
      alert_id text primary key,
      rule_id text not null references alert_rules on delete cascade,
      subject text not null,
      subject_name text not null,
      state text not null,
      since timestamptz not null,
      fired_at timestamptz,
      acknowledged_at timestamptz,
      acknowledged_by jsonb,
      ended_at timestamptz,
      end_reason text,
      flaps integer not null default 0,
      good_since timestamptz,
      to_tell text,
      is_told boolean not null default false,
      reminded_at timestamptz
    )`.execute(db);
  await sql`create unique index alerts_open on alerts (rule_id, subject) where ended_at is null`.execute(db);
  await sql`create index alerts_of_rule on alerts (rule_id, state, alert_id)`.execute(db);
  await sql`create index alerts_of_subject on alerts (subject)`.execute(db);
  await sql`create index alerts_to_tell on alerts (rule_id) where to_tell is not null`.execute(db);
  await sql`create index alerts_ended on alerts (ended_at) where ended_at is not null`.execute(db);
}
