import { sql, type Kysely } from 'kysely';

/** Keeps the names of renamed and deleted repositories, so that their paths are not taken by others. A hub of the release before keeps none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table kept_repository_names (
      name text primary key,
      repository_id text not null,
      owners text[] not null default '{}',
      kept_until timestamptz
    );
    create index kept_repository_names_by_repository on kept_repository_names (repository_id);
  `.execute(db);
}
