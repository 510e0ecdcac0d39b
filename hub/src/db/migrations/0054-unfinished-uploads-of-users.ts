import { sql, type Kysely } from 'kysely';

/** Notes whose an upload in parts is, and finds the unfinished ones of a user. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table assets add column begun_by text;
    create index assets_begun on assets (begun_by) where begun_by is not null and status = 'Dangling'`.execute(
    db,
  );
}
