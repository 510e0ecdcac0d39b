import { sql, type Kysely } from 'kysely';

/** The ids of all projects, also of deleted ones that still have devices: what is in here but not in `projects` is to be drained. */
const projects = sql`
  create table all_projects (
    project_id text primary key
  );
  insert into all_projects (project_id) select project_id from projects;
  create function note_added_projects() returns trigger language plpgsql as $$ begin
    insert into all_projects (project_id) select project_id from added on conflict do nothing;
    return null;
  end $$;
  create trigger note_added after insert on projects
    referencing new table as added for each statement execute function note_added_projects();
`;

/**
 * A device no longer goes with the row of its project, and does not forget the token that enrolled it, since a project may have 100,000 devices. The name
 * `devices` now means those of projects that exist, for every statement that there is, also of a hub of the previous release. A later column of
 * `all_devices` has to be added to the view.
 */
const devices = sql`
  alter table devices drop constraint devices_project_id_fkey, drop constraint devices_enrolled_by_fkey,
    add constraint devices_project_id_fkey foreign key (project_id) references all_projects on delete cascade;
  alter table devices rename to all_devices;
  create view devices as
    select * from all_devices d where exists (select 1 from projects p where p.project_id = d.project_id);
`;

/** The triggers that keep counts and columns of devices look at the table: what they do for a deleted project goes with it, and they are planned each time. */
const triggers = sql`
  do $$ declare body text; begin
    for body in select pg_get_functiondef(oid) from pg_proc where pronamespace = current_schema()::regnamespace and proname in (
      'count_pending_certificate', 'count_added_connections', 'subtract_ended_connections', 'subtract_deleted_connection',
      'copy_shown_properties', 'show_added_connections', 'show_ended_connections'
    ) loop
      execute regexp_replace(body, '\\mdevices\\M', 'all_devices', 'g');
    end loop;
  end $$;
`;

/** Nothing is subtracted from the counts of a project that is gone: they are deleted with its last device. */
const counts = sql`
  do $$ begin
    execute replace(pg_get_functiondef('subtract_deleted_device'::regproc), 'begin', 'begin
    if not exists (select 1 from projects where project_id = old.project_id) then return old; end if;');
  end $$;
`;

/** Lets a project be deleted at once, whatever is in it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of [projects, devices, triggers, counts]) await part.execute(db);
}
