import { sql, type Kysely } from 'kysely';

/**
 * Notes which links to projects an owner of the repository made or confirmed. Of those that exist it is not known; a private repository was linked by owners, or by others
 * before an owner made it private and kept them. A hub of the release before confirms none.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table project_repositories add column is_confirmed boolean not null default false;
    update project_repositories l set is_confirmed = true
      from repositories r where r.repository_id = l.repository_id and r.visibility = 'Private';
  `.execute(db);
}
