import { sql, type Kysely } from 'kysely';

/**
 * Saved views of the devices of a project, each of one user. A trigger deletes them with the membership, also where a hub of the previous release removes a
 * member; an administrator may have some without being one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table saved_views (
      project_id text not null references projects on delete cascade,
      user_id text not null references users on delete cascade,
      name text not null,
      filter text,
      status text,
      sort_order text,
      columns text[],
      primary key (project_id, user_id, name)
    );
    create index saved_views_by_user on saved_views (user_id);
    create function delete_views_of_member() returns trigger language plpgsql as $$ begin
      delete from saved_views where project_id = old.project_id and user_id = old.user_id;
      return null;
    end $$;
    create trigger delete_views after delete on project_members
      for each row execute function delete_views_of_member();
  `.execute(db);
}
