import { sql, type Kysely } from 'kysely';

/** What one statement writes, that statement keeps: the deletion of devices, of a membership, and of a device from its project, the creation of a project, and the writing of metadata. */
const dropped = sql`
  drop function natural_key(text);
  drop trigger note_deleted on all_devices;
  drop trigger delete_facts on all_devices;
  drop trigger delete_texts on all_devices;
  drop trigger subtract_deleted on all_devices;
  drop trigger subtract_leaving on all_devices;
  drop trigger measure_added on all_devices;
  drop trigger measure_changed on all_devices;
  drop trigger delete_views on project_members;
  drop trigger note_added on projects;
  drop function note_deleted_devices(), delete_device_facts(), delete_device_texts(), subtract_deleted_device(), subtract_leaving_device(),
    measure_metadata(), delete_views_of_member(), note_added_projects();
`;

/** A plan that was kept from when a table was small would be quadratic once it is large. */
const byIndex = sql`set plan_cache_mode = force_custom_plan set enable_seqscan = off`;
/** As a plain `is null`, the planner may read the whole index of open connections by node for each device. */
const isOpen = sql`coalesce(c.ended_at, 'infinity') = 'infinity'`;

/** Counts for the device and for its project at once. Differences are added, so that two writes for one device at the same time both count; devices are locked by ascending id, as admission locks them. */
const certificates = sql`
  drop trigger count_added on device_certificates;
  drop trigger count_changed on device_certificates;
  drop trigger subtract_deleted on device_certificates;
  drop trigger count_added_of_devices on device_certificates;
  drop trigger count_changed_of_devices on device_certificates;
  drop trigger count_deleted_of_devices on device_certificates;
  drop function count_pending_certificate(), count_pending_of_devices();

  create function count_pending_certificates() returns trigger language plpgsql ${byIndex} as $$
  declare
    ids text[];
    changes bigint[];
  begin
    if tg_op = 'INSERT' then
      select array_agg(device_id), array_agg(pending) into ids, changes from (
        select device_id, count(*) as pending from after where status = 'Pending' group by device_id) as c;
    elsif tg_op = 'DELETE' then
      select array_agg(device_id), array_agg(pending) into ids, changes from (
        select device_id, -count(*) as pending from before where status = 'Pending' group by device_id) as c;
    else
      select array_agg(device_id), array_agg(pending) into ids, changes from (
        select device_id, sum(pending) as pending from (
          select device_id, -1 as pending from before where status = 'Pending'
          union all select device_id, 1 from after where status = 'Pending'
        ) as each_row group by device_id having sum(pending) <> 0) as c;
    end if;
    with counted as (
      update all_devices d set pending_certificates = d.pending_certificates + c.pending
        from (select * from unnest(ids, changes) as u (device_id, pending) order by device_id) as c
        where d.device_id = c.device_id returning d.project_id, c.pending
    ) insert into project_count_changes (project_id, node_id, pending_certificates)
      select project_id, '', sum(pending) from counted group by project_id;
    return null;
  end $$;
  create trigger count_added after insert on device_certificates
    referencing new table as after for each statement execute function count_pending_certificates();
  create trigger count_changed after update on device_certificates
    referencing old table as before new table as after for each statement execute function count_pending_certificates();
  create trigger count_deleted after delete on device_certificates
    referencing old table as before for each statement execute function count_pending_certificates();
`;

/** Who inserts a connection holds the lock of its device, so the second open connection sees the first. */
const added = sql`
  drop trigger count_added on device_connections;
  drop trigger show_added on device_connections;
  drop function count_added_connections(), show_added_connections();

  create function note_added_connections() returns trigger language plpgsql ${byIndex} as $$ begin
    insert into project_count_changes (project_id, node_id, open_connections)
      select d.project_id, a.node_id, count(*) from added a
      cross join lateral (select project_id from all_devices where device_id = a.device_id offset 0) as d
      where a.ended_at is null group by d.project_id, a.node_id;
    insert into additional_connections (connection_id, device_id)
      select a.connection_id, a.device_id from added a cross join lateral (
        select 1 from device_connections c
        where c.device_id = a.device_id and ${isOpen} and c.connection_id <> a.connection_id limit 1
      ) as other where a.ended_at is null;
    update all_devices d set open_node = coalesce(a.open_node, d.open_node),
      last_connected_at = greatest(d.last_connected_at, a.connected_at), last_seen_at = greatest(d.last_seen_at, a.seen_at)
      from (
        select device_id, max(connected_at) as connected_at, max(coalesce(ended_at, connected_at)) as seen_at,
          (array_agg(node_id order by connected_at desc) filter (where ended_at is null))[1] as open_node
        from added group by device_id order by device_id
      ) as a where d.device_id = a.device_id;
    return null;
  end $$;
  create trigger note_added after insert on device_connections
    referencing new table as added for each statement execute function note_added_connections();
`;

/**
 * Those that were open before the statement and are not afterwards. A join of the two tables of rows would be quadratic: the planner keeps the numbers of rows that they had when the session called
 * the function first. For each device its additional connections are looked up; a locked one is skipped, which only costs a lookup later.
 */
const ended = sql`
  drop trigger subtract_ended on device_connections;
  drop trigger show_ended on device_connections;
  drop function subtract_ended_connections(), show_ended_connections();

  create function note_ended_connections() returns trigger language plpgsql ${byIndex} as $$ begin
    with ended as materialized (
      select min(device_id) as device_id, min(node_id) as node_id, max(ended_at) as ended_at from (
        select connection_id, device_id, node_id, ended_at from before where ended_at is null
        union all select connection_id, device_id, node_id, ended_at from after where ended_at is not null
      ) as either group by connection_id having count(*) = 2
    ), shown as (
      update all_devices d set last_seen_at = greatest(d.last_seen_at, e.ended_at), open_node = (
          select c.node_id from device_connections c where c.device_id = d.device_id and ${isOpen}
          order by c.connected_at desc limit 1
        ) from (
          select device_id, max(ended_at) as ended_at from ended group by device_id order by device_id
        ) as e where d.device_id = e.device_id
    ) insert into project_count_changes (project_id, node_id, open_connections)
      select d.project_id, e.node_id, -count(*) from ended e
      cross join lateral (select project_id from all_devices where device_id = e.device_id offset 0) as d
      group by d.project_id, e.node_id;
    delete from additional_connections where connection_id = any(array(
      select surplus.connection_id from (
        select device_id, array_agg(connection_id) as connections from after where ended_at is not null group by device_id
      ) as e cross join lateral (
        select a.connection_id from additional_connections a
        where a.device_id = e.device_id and (a.connection_id = any(e.connections) or not exists (
          select 1 from device_connections c
          where c.device_id = a.device_id and ${isOpen} and c.connection_id <> a.connection_id
        )) for update skip locked
      ) as surplus
    ));
    return null;
  end $$;
  create trigger note_ended after update on device_connections
    referencing old table as before new table as after for each statement execute function note_ended_connections();
`;

/** Leaves to triggers what no statement can keep, and counters of long lists. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of [dropped, certificates, added, ended]) await part.execute(db);
}
