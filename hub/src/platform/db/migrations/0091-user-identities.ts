import { sql, type Kysely } from 'kysely';

/** Who users are at a provider of identities. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table user_identities (
      issuer text not null,
      subject text not null,
      user_id text not null references users on delete cascade,
      email text,
      name text,
      linked_at timestamptz not null,
      last_used_at timestamptz,
      primary key (issuer, subject)
    )`.execute(db);
  await sql`create index user_identities_of_user on user_identities (user_id)`.execute(db);
}
