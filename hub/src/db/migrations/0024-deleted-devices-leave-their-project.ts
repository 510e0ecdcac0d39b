import { sql, type Kysely } from 'kysely';

/**
 * A deleted device leaves its project for one of its own, of which only the id exists, as is left of a deleted project: so it is hidden by the view, and drained by the same
 * job. What it owned is subtracted from the counts of the project that it leaves; they are locked first, so that a concurrent change is either seen or prevented.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function subtract_leaving_device() returns trigger language plpgsql
      set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$ begin
      perform 1 from device_certificates where device_id = old.device_id for update;
      perform 1 from device_connections where device_id = old.device_id and coalesce(ended_at, 'infinity') = 'infinity' for update;
      insert into project_count_changes (project_id, node_id, devices, pending_certificates)
        select old.project_id, '', -1, -count(*) from device_certificates
        where device_id = old.device_id and status = 'Pending';
      insert into project_count_changes (project_id, node_id, open_connections)
        select old.project_id, node_id, -count(*) from device_connections
        where device_id = old.device_id and coalesce(ended_at, 'infinity') = 'infinity' group by node_id;
      return new;
    end $$;
    create trigger subtract_leaving before update of project_id on all_devices
      for each row when (old.project_id <> new.project_id) execute function subtract_leaving_device();
  `.execute(db);
}
