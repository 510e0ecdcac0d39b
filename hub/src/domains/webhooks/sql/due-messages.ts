import type { Json, WebhookFormat } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { SealedSecrets } from './webhooks.ts';

/** A message that is sent now, and to whom. */
export interface DueMessage extends SealedSecrets {
  readonly message_id: string;
  readonly type: string;
  readonly data: Json;
  readonly happened_at: string;
  readonly attempts: number;
  readonly url: string;
  readonly format: WebhookFormat;
  /** For Alertmanager, which is told how a rule stands: the newest message of the rule, since an older one that is tried again must not undo it. */
  readonly newest: Pick<DueMessage, 'type' | 'data' | 'happened_at'> | null;
}

/** How long a node may take to send a message that it has taken. */
const leaseSecs = 60;
/** So many messages of one webhook are taken at once: one that is slow keeps no other waiting. */
const mostOfOne = 8;
const mostAtOnce = 64;

const newestOfRule = sql`case when w.format = 'Alertmanager' and m.type like 'alert.%' and m.type <> 'alert.test' then (
        select jsonb_build_object('type', x.type, 'data', x.data, 'happened_at', x.happened_at) from webhook_messages x
        where x.webhook_id = m.webhook_id and x.type like 'alert.%' and x.type <> 'alert.test' and x.data ->> 'ruleId' = m.data ->> 'ruleId'
        order by x.happened_at desc, x.message_id desc limit 1) end`;

/** Takes the messages that are due, so that no other node sends them meanwhile; `busy` are webhooks, by raw id, of which this node sends some still. */
export async function takeDueMessages(
  tx: Database,
  busy: readonly string[],
  now: Date,
): Promise<DueMessage[]> {
  const lease = new Date(now.getTime() + leaseSecs * 1000);
  const { rows } = await sql<DueMessage>`
    with due as (
      select w.webhook_id, m.message_id from webhooks w cross join lateral (
        select x.message_id from webhook_messages x where x.webhook_id = w.webhook_id and x.next_attempt_at <= ${now}
        order by x.next_attempt_at limit ${sql.lit(mostOfOne)} for update skip locked) as m
      where w.disabled is null and w.webhook_id <> all(${[...busy]}::text[]) limit ${sql.lit(mostAtOnce)}
    )
    update webhook_messages m set attempts = m.attempts + 1, next_attempt_at = ${lease}
    from due join webhooks w using (webhook_id) where m.webhook_id = due.webhook_id and m.message_id = due.message_id
    returning m.webhook_id, m.message_id, m.type, m.data, m.happened_at, m.attempts, w.url, w.format, ${newestOfRule} as newest, w.sealed, w.sealed_under,
      w.former_sealed, w.former_sealed_under, w.former_until`.execute(tx);
  return rows.toSorted((one, other) => Date.parse(one.happened_at) - Date.parse(other.happened_at));
}

/** How an attempt ended. */
export interface Attempt {
  readonly webhookId: string;
  readonly messageId: string;
  readonly httpStatus: number | undefined;
  readonly durationMs: number;
  /** Undefined: the receiver accepted it. */
  readonly error: string | undefined;
  /** Undefined: it is not tried again. */
  readonly nextAttemptAt: Date | undefined;
}

/** How a webhook stands after an attempt. */
interface Standing {
  /** The raw id. */
  readonly projectId: string;
  /** Null: it does not fail. */
  readonly failingSince: string | null;
}

/** Records how an attempt ended; returns how its webhook stands, undefined if it was deleted. */
export async function recordAttempt(
  tx: Database,
  attempt: Attempt,
  now: Date,
): Promise<Standing | undefined> {
  const { webhookId, messageId, httpStatus, durationMs, error, nextAttemptAt } = attempt;
  const isAccepted = error === undefined;
  await sql`
    update webhook_messages set is_accepted = ${isAccepted}, next_attempt_at = ${nextAttemptAt ?? null}, last_attempt_at = ${now},
      http_status = ${httpStatus ?? null}, duration_ms = ${durationMs}, last_error = ${error ?? null}
    where webhook_id = ${webhookId} and message_id = ${messageId}`.execute(tx);
  const { rows } = await sql<Standing>`
    update webhooks set failing_since = case when ${isAccepted} then null else coalesce(failing_since, ${now}) end,
      last_accepted_at = case when ${isAccepted} then ${now} else last_accepted_at end, last_error = ${error ?? null}
    where webhook_id = ${webhookId} returning project_id as "projectId", failing_since as "failingSince"`.execute(
    tx,
  );
  return rows[0];
}

/** Disables a webhook; its name, unless it is disabled already. */
export async function disableWebhook(
  tx: Database,
  webhookId: string,
  why: 'ByReceiver' | 'Failing',
): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    update webhooks set disabled = ${why} where webhook_id = ${webhookId} and disabled is null
    returning name`.execute(tx);
  return rows[0]?.name;
}
