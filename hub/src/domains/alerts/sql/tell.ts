import { type AlertChannels, ids, type Json } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { newDatedRawId } from '../../../auth/random.ts';
import { amounts } from '../../../limits/amounts.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { newIdSql } from '../../../platform/db/new-id-sql.ts';

/** Whom a rule tells; ids are raw. */
export interface TellingRule {
  readonly ruleId: string;
  /** Null: a rule of the instance. */
  readonly projectId: string | null;
  readonly channels: AlertChannels;
}

/** What is told. */
export interface Message {
  readonly type: 'alert.fired' | 'alert.resolved' | 'alert.changed' | 'alert.reminder' | 'alert.test';
  readonly data: Readonly<Record<string, Json>>;
}

/** Who was told. */
export interface Reached {
  /** How many people get an e-mail. */
  readonly mails: number;
  /** Raw ids. */
  readonly messages: readonly { readonly webhookId: string; readonly messageId: string }[];
}

/** Tells whom a rule tells: those who are members, or administrators, now. Once it is committed, `mail_Queued` has mails sent at once. */
export async function tell(tx: Database, rule: TellingRule, message: Message, now: Date): Promise<Reached> {
  return {
    mails: await queueMails(tx, rule, message, now),
    messages: await addMessages(tx, rule, message, now),
  };
}

async function addMessages(
  tx: Database,
  { projectId, channels }: TellingRule,
  { type, data }: Message,
  now: Date,
): Promise<Reached['messages']> {
  const webhooks = (channels.webhookIds ?? []).map((id) => ids.webhook.raw(id));
  if (projectId === null || webhooks.length === 0) return [];
  const { rows } = await sql<{ webhookId: string; messageId: string }>`
    insert into webhook_messages (webhook_id, message_id, type, data, happened_at, next_attempt_at)
      select w.webhook_id, ${newDatedRawId(now)}, ${type}, ${JSON.stringify(data)}::jsonb, ${now}::timestamptz, ${now}::timestamptz
      from webhooks w where w.project_id = ${projectId} and w.webhook_id = any(${webhooks}::text[]) and w.disabled is null
    returning webhook_id as "webhookId", message_id as "messageId"`.execute(tx);
  return rows;
}

/** The condition that a rule mails a user `u`. */
function isRecipient({ projectId, channels }: TellingRule): RawBuilder<boolean> {
  const { mails, userIds = [] } = channels;
  if (projectId === null) return sql<boolean>`u.is_admin`;
  const isOne = {
    Owners: sql`m.is_owner`,
    Members: sql`true`,
    Some: sql`m.user_id = any(${userIds.map((id) => ids.user.raw(id))}::text[])`,
    None: sql`false`,
  }[mails];
  return sql<boolean>`exists (select 1 from project_members m where m.project_id = ${projectId} and m.user_id = u.user_id and ${isOne})`;
}

async function queueMails(
  tx: Database,
  rule: TellingRule,
  { type, data }: Message,
  now: Date,
): Promise<number> {
  if (rule.channels.mails === 'None') return 0;
  const minute = newDatedRawId(now).slice(0, -idSymbols);
  const { numAffectedRows } = await sql`
    insert into queued_mails (mail_id, kind, user_id, rule_id, alert_message, created_at, next_attempt_at)
      select ${minute} || left(${newIdSql}, ${sql.lit(idSymbols)}), 'Alert', u.user_id, ${rule.ruleId}, ${JSON.stringify({ type, ...data })}::jsonb, ${now}, ${now}
      from users u where u.disabled_at is null and not u.is_service and u.only_invitation_id is null and ${isRecipient(rule)}
        and not exists (select 1 from alert_unsubscriptions s where s.rule_id = ${rule.ruleId} and s.user_id = u.user_id)
        and (select count(*) from queued_mails q where q.rule_id = ${rule.ruleId} and q.user_id = u.user_id) < ${sql.lit(amounts.waitingAlertMails.max)}
      order by u.user_id limit ${sql.lit(amounts.mailedByAlert.max)}`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

const idSymbols = 8;
