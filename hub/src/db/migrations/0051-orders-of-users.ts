import { sql, type Kysely } from 'kysely';

/** Indexes for the orders in which administrators list users; without them each page sorts all users. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index users_by_name on users ((display_name is null), lower(coalesce(display_name, '')), email);
    create index users_by_name_descending on users ((display_name is not null), lower(coalesce(display_name, '')), email);
    create index users_by_right on users (is_admin, email);
  `.execute(db);
}
