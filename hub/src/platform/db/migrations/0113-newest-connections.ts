import { sql, type Kysely } from 'kysely';

/** Which connection of a device was recorded last: when it began does not tell, since clocks go back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table all_devices add column newest_connection text`.execute(db);
  await sql`
    create or replace function note_added_connections() returns trigger language plpgsql
    set plan_cache_mode to 'force_custom_plan' set enable_seqscan to 'off' as $$ begin
    insert into project_count_changes (project_id, node_id, open_connections)
      select d.project_id, a.node_id, count(*) from added a
      cross join lateral (select project_id from all_devices where device_id = a.device_id offset 0) as d
      where a.ended_at is null group by d.project_id, a.node_id;
    insert into additional_connections (connection_id, device_id)
      select a.connection_id, a.device_id from added a cross join lateral (
        select 1 from device_connections c
        where c.device_id = a.device_id and coalesce(c.ended_at, 'infinity') = 'infinity' and c.connection_id <> a.connection_id limit 1
      ) as other where a.ended_at is null;
    update all_devices d set open_node = coalesce(a.open_node, d.open_node), newest_connection = a.newest,
      last_connected_at = greatest(d.last_connected_at, a.connected_at), last_seen_at = greatest(d.last_seen_at, a.seen_at)
      from (
        select device_id, max(connected_at) as connected_at, max(coalesce(ended_at, connected_at)) as seen_at,
          (array_agg(connection_id order by connected_at desc))[1] as newest,
          (array_agg(node_id order by connected_at desc) filter (where ended_at is null))[1] as open_node
        from added group by device_id order by device_id
      ) as a where d.device_id = a.device_id;
    return null;
  end $$`.execute(db);
}
