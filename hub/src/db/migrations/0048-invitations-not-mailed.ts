import { sql, type Kysely } from 'kysely';

/** Lets an invitation say that its e-mail was not mailed, since no mail server was set. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table invitations drop constraint invitations_mail_status_check;
    alter table invitations add constraint invitations_mail_status_check
      check (mail_status in ('Queued', 'Sent', 'Refused', 'NotMailed'));
  `.execute(db);
}
