import type { AlertMessage } from '@corral/contract';
import { sql } from 'kysely';
import { newDatedRawId } from '../../../auth/random.ts';
import type { Database } from '../../../platform/db/connect.ts';
import type { Slice } from '../../../platform/db/paging/list-order.ts';
import type { Tables } from '../../../platform/db/tables.ts';

type MailKind = Tables['queued_mails']['kind'];

/** A hub of the release before 0016 writes the invitation where the user belongs. */
const invitationId = sql`coalesce(m.invitation_id, m.user_id)`;

/** How long a node may take to send an e-mail that it leased. */
const leaseSecs = 120;
const firstRetrySecs = 5;
const maxRetrySecs = 15 * 60;
const giveUpAfterMs = 3 * 24 * 3_600_000;

/** Ids are raw. */
type NewMail =
  | {
      readonly kind: Exclude<MailKind, 'Invitation' | 'Alert'>;
      /** The user or the registration that it goes to. */
      readonly userId: string;
      /** The user token that it is about. */
      readonly tokenId?: string;
      /** The webhook that it is about. */
      readonly webhookId?: string;
      /** The terminal that it is about. */
      readonly terminalSessionId?: string;
      readonly now: Date;
    }
  | { readonly kind: 'Invitation'; readonly invitationId: string; readonly now: Date };

/** Queues an e-mail; it is sent at least once, after the transaction has committed. */
export async function queueMail(tx: Database, mail: NewMail): Promise<void> {
  const { kind, now } = mail;
  await tx
    .insertInto('queued_mails')
    .values({
      mail_id: newDatedRawId(now),
      kind,
      ...(mail.kind === 'Invitation'
        ? { invitation_id: mail.invitationId }
        : {
            user_id: mail.userId,
            token_id: mail.tokenId ?? null,
            webhook_id: mail.webhookId ?? null,
            terminal_session_id: mail.terminalSessionId ?? null,
          }),
      created_at: now,
      next_attempt_at: now,
    })
    .execute();
}

/** What the recipient of an e-mail `m` is and what the e-mail is about, as far as it still exists. */
const recipients = (now: Date) => sql`
        left join users u on m.kind not in ('Activation', 'Invitation') and u.user_id = m.user_id and not u.is_service
        left join user_registrations r
          on m.kind = 'Activation' and r.user_id = m.user_id and r.expires_at > ${now}
        left join invitations i on m.kind = 'Invitation' and i.invitation_id = ${invitationId} and i.expires_at > ${now}
        left join password_links l
          on m.kind = 'PasswordLink' and l.user_id = m.user_id and l.expires_at > ${now}
        left join user_tokens t on t.token_id = m.token_id
        left join webhooks w on w.webhook_id = m.webhook_id
        left join terminal_sessions s on s.session_id = m.terminal_session_id`;
/** Whether somebody may still be told of a rule: it is there, and the recipient is a member, or an administrator where it is of the instance, and has not unsubscribed. */
const mayBeTold = sql<boolean>`exists (select 1 from alert_rules a
          where a.rule_id = m.rule_id and u.disabled_at is null and u.only_invitation_id is null
            and not exists (select 1 from alert_unsubscriptions s where s.rule_id = a.rule_id and s.user_id = u.user_id)
            and case when a.project_id is null then u.is_admin
              else exists (select 1 from project_members p where p.project_id = a.project_id and p.user_id = u.user_id) end)`;
const hasRecipient = sql<boolean>`coalesce(u.user_id, r.user_id, i.invitation_id) is not null
        and (m.kind <> 'PasswordLink' or l.link_id is not null)
        and (m.token_id is null or t.expires_at is not null)
        and (m.webhook_id is null or w.webhook_id is not null)
        and (m.terminal_session_id is null or s.session_id is not null)
        and (m.kind <> 'Alert' or ${mayBeTold})`;

/** An e-mail that is to be sent now. */
export interface DueMail {
  readonly mail_id: string;
  readonly kind: MailKind;
  /** The raw id of the user, the registration or the invitation that it goes to. */
  readonly recipient_id: string;
  readonly email: string;
  readonly created_at: string;
  /** The expiry of the registration, of the invitation, of the link to set a password, or of the token that the e-mail is about. */
  readonly expires_at: string | null;
  /** What an invitation is to. */
  readonly invited_to: 'Project' | 'Repository' | null;
  /** The raw id of the link to set a password. */
  readonly link_id: string | null;
  /** The raw id of the project of the webhook that the e-mail is about. */
  readonly webhook_project_id: string | null;
  /** The raw id of the terminal that it is about, and that of its project. */
  readonly terminal_session_id: string | null;
  readonly terminal_project_id: string | null;
  /** How many recovery codes the user has left. */
  readonly codes_left: number;
  /** What it says of alerts, and the raw id of the rule. */
  readonly alert_message: (AlertMessage & { readonly type: string }) | null;
  readonly rule_id: string | null;
  /** When the token was made. */
  readonly token_created_at: string | null;
  /** Where the service account of the token belongs, by raw ids. */
  readonly service_project_id: string | null;
  readonly service_repository_id: string | null;
}

/** Leases the e-mail that has been due longest among those with an existing recipient and no lease of another node. */
export async function leaseDueMail(tx: Database, now: Date): Promise<DueMail | undefined> {
  const lease = new Date(now.getTime() + leaseSecs * 1000);
  const { rows } = await sql<DueMail>`
    with due as (
      select m.mail_id, coalesce(u.email, r.email, i.email) as email, l.link_id,
        coalesce(r.expires_at, i.expires_at, l.expires_at, t.expires_at) as expires_at, t.created_at as token_created_at, w.project_id as webhook_project_id, s.project_id as terminal_project_id,
        o.service_project_id, o.service_repository_id,
        (select count(*)::integer from recovery_codes c where c.user_id = u.user_id and c.used_at is null) as codes_left,
        case when i.project_id is not null then 'Project' when i.repository_id is not null then 'Repository' end as invited_to
      from queued_mails m
        ${recipients(now)}
        left join users o on o.user_id = t.user_id
      where m.next_attempt_at <= ${now} and ${hasRecipient}
      order by m.next_attempt_at, m.mail_id limit 1 for update of m skip locked
    )
    update queued_mails q set attempts = attempts + 1, next_attempt_at = ${lease} from due
      where q.mail_id = due.mail_id
      returning q.mail_id, q.kind, coalesce(q.user_id, q.invitation_id) as recipient_id, due.email, q.created_at, due.expires_at, due.invited_to, due.link_id,
        due.token_created_at, due.service_project_id, due.service_repository_id, due.webhook_project_id, due.terminal_project_id, q.terminal_session_id, due.codes_left, q.alert_message, q.rule_id`.execute(
    tx,
  );
  return rows[0];
}

/** An e-mail that was to be sent a while ago. */
export interface WaitingMail extends Pick<DueMail, 'mail_id' | 'kind' | 'email' | 'created_at'> {
  /** The raw id of the user or the registration; null for an invitation. */
  readonly user_id: string | null;
  readonly attempts: number;
}

/** A mail that waits no longer is on its way. */
const usualWaitMs = 60_000;

/** Reads a slice of the e-mails with an existing recipient that could not be sent so far. */
export async function readWaitingMails(tx: Database, slice: Slice, now: Date): Promise<WaitingMail[]> {
  const { rows } = await sql<WaitingMail>`
    select * from (
      select m.mail_id, m.kind, m.created_at, m.attempts, coalesce(u.user_id, r.user_id) as user_id, coalesce(u.email, r.email, i.email) as email
      from queued_mails m ${recipients(now)}
      where m.attempts > 0 and m.created_at <= ${new Date(now.getTime() - usualWaitMs)} and ${hasRecipient}
    ) as mails where ${slice.follows} ${slice.orderAndLimit}`.execute(tx);
  return rows;
}

/** Deletes an e-mail from the queue and returns it; undefined if it was already deleted. */
export async function deleteMail(
  tx: Database,
  mailId: string,
): Promise<{ kind: MailKind; recipient_id: string } | undefined> {
  return tx
    .deleteFrom('queued_mails')
    .where('mail_id', '=', mailId)
    .returning(['kind', sql<string>`coalesce(user_id, invitation_id)`.as('recipient_id')])
    .executeTakeFirst();
}

/** Deletes the e-mails of an invitation that wait in the queue. */
export async function deleteInvitationMails(tx: Database, ofInvitation: string): Promise<void> {
  await sql`delete from queued_mails m where m.kind = 'Invitation' and ${invitationId} = ${ofInvitation}`.execute(
    tx,
  );
}

/** Postpones an e-mail after a failed attempt, with exponential backoff; returns the next attempt's time; undefined if the hub gave up or the e-mail is deleted. */
export async function postponeMail(tx: Database, mailId: string, now: Date): Promise<Date | undefined> {
  const mail = await tx
    .selectFrom('queued_mails')
    .select(['attempts', 'created_at'])
    .where('mail_id', '=', mailId)
    .forUpdate()
    .executeTakeFirst();
  if (mail === undefined) return undefined;
  if (now.getTime() - Date.parse(mail.created_at) >= giveUpAfterMs) {
    await deleteMail(tx, mailId);
    return undefined;
  }
  const waitSecs = Math.min(maxRetrySecs, firstRetrySecs * 2 ** (mail.attempts - 1));
  const next = new Date(now.getTime() + waitSecs * 1000);
  await tx.updateTable('queued_mails').set({ next_attempt_at: next }).where('mail_id', '=', mailId).execute();
  return next;
}

/** Deletes e-mails whose user, registration, invitation, link or token is deleted. */
export async function deleteOrphanedMails(tx: Database): Promise<void> {
  await sql`delete from queued_mails m where
    (m.kind not in ('Activation', 'Invitation') and not exists (select 1 from users u where u.user_id = m.user_id and not u.is_service))
    or (m.kind = 'Activation' and not exists (select 1 from user_registrations r where r.user_id = m.user_id))
    or (m.kind = 'Invitation' and not exists (select 1 from invitations i where i.invitation_id = ${invitationId}))
    or (m.kind = 'PasswordLink' and not exists (select 1 from password_links l where l.user_id = m.user_id))
    or (m.token_id is not null and not exists (select 1 from user_tokens t where t.token_id = m.token_id))
    or (m.webhook_id is not null and not exists (select 1 from webhooks w where w.webhook_id = m.webhook_id))
    or (m.terminal_session_id is not null and not exists (select 1 from terminal_sessions s where s.session_id = m.terminal_session_id))
    or (m.kind = 'Alert' and not exists (select 1 from users u where u.user_id = m.user_id and ${mayBeTold}))`.execute(
    tx,
  );
}

/** How many e-mails wait to be sent, those that were tried already apart. */
export async function countWaitingMails(db: Database): Promise<Record<'New' | 'Retrying', number>> {
  const { rows } = await sql<{ fresh: number; retrying: number }>`
    select count(*) filter (where attempts = 0) as fresh, count(*) filter (where attempts > 0) as retrying from queued_mails`.execute(
    db,
  );
  return { New: rows[0]?.fresh ?? 0, Retrying: rows[0]?.retrying ?? 0 };
}
