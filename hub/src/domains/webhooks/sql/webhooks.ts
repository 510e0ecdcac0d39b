import { ActionError, type Actor, type Json, type WebhookFormat } from '@corral/contract';
import { sql } from 'kysely';
import { newDatedRawId, newRawId } from '../../../auth/random.ts';
import { amounts } from '../../../limits/amounts.ts';
import type { Database } from '../../../platform/db/connect.ts';
import type { Vault } from '../../../platform/vault/vault.ts';

/** The type of messages that nothing made. */
export const testType = 'webhook.test';

const placeOf = (webhookId: string): string => `webhooks/${webhookId}`;

/** A webhook that is made. */
interface NewWebhook {
  readonly projectId: string;
  readonly name: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly format: WebhookFormat;
  readonly secret: string;
  readonly actor: Actor;
  readonly now: Date;
}

/** Adds a webhook and returns its raw id. Throws an `ActionError` of kind Invalid if the project has too many. */
export async function addWebhook(tx: Database, vault: Vault, webhook: NewWebhook): Promise<string> {
  const { projectId, name, url, types, format, secret, actor, now } = webhook;
  // Two at the same time are counted one after the other.
  await sql`select 1 from projects where project_id = ${projectId} for no key update`.execute(tx);
  const webhookId = newRawId();
  const { keyId, bytes } = vault.seal(Buffer.from(secret), placeOf(webhookId));
  const { max } = amounts.webhooks;
  const { numAffectedRows } = await sql`
    insert into webhooks (webhook_id, project_id, name, url, types, format, sealed, sealed_under, created_by, created_at)
      select ${webhookId}, ${projectId}, ${name}, ${url}, ${[...types]}::text[], ${format}, ${bytes}, ${keyId}, ${JSON.stringify(actor)}::jsonb, ${now}
      where (select count(*) from webhooks where project_id = ${projectId}) < ${max}`.execute(tx);
  if (numAffectedRows !== 1n)
    throw new ActionError('Invalid', `A project may have at most ${max} webhooks. Delete one first.`);
  return webhookId;
}

/** Where a webhook sends in which format; undefined if there is none. */
export async function targetOf(
  tx: Database,
  webhookId: string,
): Promise<{ url: string; format: WebhookFormat } | undefined> {
  const { rows } = await sql<{ url: string; format: WebhookFormat }>`
    select url, format from webhooks where webhook_id = ${webhookId}`.execute(tx);
  return rows[0];
}

/** What of a webhook is changed. */
export interface WebhookChange {
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly format?: WebhookFormat | undefined;
  readonly isDisabled?: boolean | undefined;
}

/** Changes a webhook; returns its name, or undefined if there is none any more. One that is enabled has all that waits tried at once. */
export async function changeWebhook(
  tx: Database,
  webhookId: string,
  { name, url, types, format, isDisabled }: WebhookChange,
  now: Date,
): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    update webhooks set name = coalesce(${name ?? null}, name), url = coalesce(${url ?? null}, url),
      types = coalesce(${types === undefined ? null : [...types]}::text[], types), format = coalesce(${format ?? null}, format),
      disabled = case ${isDisabled ?? null}::boolean when true then coalesce(disabled, 'ByOwner') when false then null else disabled end,
      failing_since = case when ${isDisabled ?? null} is false then null else failing_since end
    where webhook_id = ${webhookId} returning name`.execute(tx);
  if (isDisabled === false)
    await sql`update webhook_messages set next_attempt_at = ${now} where webhook_id = ${webhookId} and next_attempt_at is not null`.execute(
      tx,
    );
  return rows[0]?.name;
}

/** Replaces the secret; the present one stays beside it until a time. Returns the name of the webhook. */
export async function replaceSecret(
  tx: Database,
  vault: Vault,
  {
    webhookId,
    secret,
    formerUntil,
  }: { readonly webhookId: string; readonly secret: string; readonly formerUntil: Date },
): Promise<string | undefined> {
  const { keyId, bytes } = vault.seal(Buffer.from(secret), placeOf(webhookId));
  const { rows } = await sql<{ name: string }>`
    update webhooks set former_sealed = sealed, former_sealed_under = sealed_under, former_until = ${formerUntil}, sealed = ${bytes}, sealed_under = ${keyId}
    where webhook_id = ${webhookId} returning name`.execute(tx);
  return rows[0]?.name;
}

/** The secrets that sign messages at a time, in the order of the signatures. */
export function secretsOf(vault: Vault, webhook: SealedSecrets, now: Date): string[] {
  const open = (bytes: Buffer, keyId: string) =>
    vault.open({ keyId, bytes }, placeOf(webhook.webhook_id)).toString();
  const { former_sealed: former, former_sealed_under: formerUnder, former_until: until } = webhook;
  const present = open(webhook.sealed, webhook.sealed_under);
  if (former === null || formerUnder === null || until === null || Date.parse(until) <= now.getTime())
    return [present];
  return [present, open(former, formerUnder)];
}

/** The secrets of a webhook as they are stored. */
export interface SealedSecrets {
  readonly webhook_id: string;
  readonly sealed: Buffer;
  readonly sealed_under: string;
  readonly former_sealed: Buffer | null;
  readonly former_sealed_under: string | null;
  readonly former_until: string | null;
}

/** Adds a message that no event made, and returns its raw id. */
export async function addMessage(
  tx: Database,
  webhookId: string,
  { type, data, now }: { readonly type: string; readonly data: Json; readonly now: Date },
): Promise<string> {
  const messageId = newDatedRawId(now);
  await sql`
    insert into webhook_messages (webhook_id, message_id, type, data, happened_at, next_attempt_at)
      values (${webhookId}, ${messageId}, ${type}, ${JSON.stringify(data)}::jsonb, ${now}, ${now})`.execute(
    tx,
  );
  return messageId;
}

/** Has a message sent again as if it was new; whether there is one that does not wait. */
export async function resendMessage(
  tx: Database,
  webhookId: string,
  messageId: string,
  now: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update webhook_messages set next_attempt_at = ${now}, attempts = 0, is_accepted = false
    where webhook_id = ${webhookId} and message_id = ${messageId}`.execute(tx);
  return numAffectedRows === 1n;
}

/** Deletes the messages that the list no longer shows, and of those that wait for one webhook the oldest beyond the most that are kept. */
export async function pruneMessages(tx: Database, before: Date): Promise<void> {
  await sql`delete from webhook_messages where happened_at < ${before}`.execute(tx);
  await sql`
    update webhook_messages m set next_attempt_at = null, last_error = 'Too many messages waited, so this one is not sent.'
    from webhooks w, lateral (
      select message_id from webhook_messages x where x.webhook_id = w.webhook_id and x.next_attempt_at is not null
      order by x.happened_at desc, x.message_id desc offset ${amounts.waitingMessages.max}) as old
    where m.webhook_id = w.webhook_id and m.message_id = old.message_id`.execute(tx);
}

/** Seals the secrets again that are under an older key of the vault. */
export async function reencryptWebhookSecrets(db: Database, vault: Vault): Promise<void> {
  const { rows } = await sql<SealedSecrets>`
    select webhook_id, sealed, sealed_under, former_sealed, former_sealed_under, former_until from webhooks
    where sealed_under <> ${vault.keyId} or former_sealed_under <> ${vault.keyId}`.execute(db);
  for (const row of rows) {
    const renew = (bytes: Buffer | null, keyId: string | null) =>
      bytes === null || keyId === null || !vault.has(keyId)
        ? { bytes, keyId }
        : vault.seal(vault.open({ keyId, bytes }, placeOf(row.webhook_id)), placeOf(row.webhook_id));
    const present = renew(row.sealed, row.sealed_under);
    const former = renew(row.former_sealed, row.former_sealed_under);
    await sql`
      update webhooks set sealed = ${present.bytes}, sealed_under = ${present.keyId}, former_sealed = ${former.bytes}, former_sealed_under = ${former.keyId}
      where webhook_id = ${row.webhook_id} and sealed = ${row.sealed}`.execute(db);
  }
}
