import { sql, type Kysely } from 'kysely';

/** Adds invitations to projects and repositories, and their e-mails. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table invitations (
      invitation_id text primary key,
      project_id text references projects on delete cascade,
      repository_id text references repositories on delete cascade,
      email text not null,
      invited_by text references users on delete set null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      mail_status text not null default 'Queued' check (mail_status in ('Queued', 'Sent', 'Refused')),
      mailed_at timestamptz,
      check (num_nonnulls(project_id, repository_id) = 1),
      unique (project_id, email),
      unique (repository_id, email)
    );
    create index invitations_of_project on invitations (project_id, created_at, invitation_id)
      where project_id is not null;
    create index invitations_of_repository on invitations (repository_id, created_at, invitation_id)
      where repository_id is not null;
    create index invitations_by_email on invitations (email, created_at, invitation_id);
    create index invitations_by_inviter on invitations (invited_by) where invited_by is not null;
    create index invitations_by_expiry on invitations (expires_at);
    alter table queued_mails drop constraint queued_mails_kind_check;
    alter table queued_mails add constraint queued_mails_kind_check
      check (kind in ('Activation', 'AddressTaken', 'PasswordChanged', 'Invitation'));
    create index queued_mails_by_recipient on queued_mails (user_id);
  `.execute(db);
}
