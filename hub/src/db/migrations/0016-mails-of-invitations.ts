import { sql, type Kysely } from 'kysely';

/** Names the invitation of an e-mail in a column of its own; it was in that of the user, where a hub of the release before still writes it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table queued_mails add column invitation_id text;
    alter table queued_mails alter column user_id drop not null;
    update queued_mails set invitation_id = user_id, user_id = null where kind = 'Invitation';
    alter table queued_mails add constraint queued_mails_kind_check
      check (kind in ('Activation', 'AddressTaken', 'PasswordChanged', 'Invitation', 'PasswordLink', 'TokenExpiring'));
    alter table queued_mails add constraint queued_mails_recipient_check check (num_nonnulls(user_id, invitation_id) = 1);
  `.execute(db);
}
