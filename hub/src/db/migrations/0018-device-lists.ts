import { sql, type Kysely } from 'kysely';

/**
 * What the list of devices shows, filters and sorts by, beside the rows that it comes from. No index has these columns, and pages keep free space, so that
 * PostgreSQL changes them without a new entry in any index. The node is that of an open connection, of several the newest.
 */
const columns = sql`
  alter table devices
    add column hostname text,
    add column health text,
    add column last_connected_at timestamptz,
    add column last_seen_at timestamptz,
    add column open_node text,
    set (fillfactor = 85);
  create index devices_by_project_name on devices (project_id, (name is null), lower(coalesce(name, '')), device_id);
  create index device_properties_by_name on device_properties (name, device_id);
  create table project_property_names (
    project_id text not null references projects on delete cascade,
    name text not null,
    primary key (project_id, name)
  );
`;

/** A plan that was kept from when a table was small would be quadratic once it is large. */
const byIndex = sql`set plan_cache_mode = force_custom_plan set enable_seqscan = off`;
/** As a plain `is null`, the planner may read the whole index of open connections by node for each device. */
const isOpen = sql`coalesce(c.ended_at, 'infinity') = 'infinity'`;
const shownNames = sql`('dev.nexigon.system.info', 'dev.nexigon.systemInfo', 'dev.nexigon.system.health')`;

/** Of the two properties with system information the newer one that has a host name counts. A host name has 253 characters at most. */
const shownProperties = sql`
  select (
    select left(p.value ->> 'hostname', 253) from device_properties p
    where p.device_id = d.device_id and p.name in ('dev.nexigon.system.info', 'dev.nexigon.systemInfo')
      and jsonb_typeof(p.value -> 'hostname') = 'string' and p.value ->> 'hostname' <> ''
    order by p.updated_at desc, p.name limit 1
  ) as hostname, (
    select left(p.value ->> 'status', 32) from device_properties p
    where p.device_id = d.device_id and p.name = 'dev.nexigon.system.health' and jsonb_typeof(p.value -> 'status') = 'string'
  ) as health
`;

/** Who writes one of these properties holds the lock of its device, as who removes one does. */
const ofProperties = sql`
  create function copy_shown_properties() returns trigger language plpgsql ${byIndex} as $$
  declare
    changed text := case when tg_op = 'DELETE' then old.device_id else new.device_id end;
    shown record;
  begin
    select s.* into shown from devices d cross join lateral (${shownProperties}) as s where d.device_id = changed;
    update devices d set hostname = shown.hostname, health = shown.health where d.device_id = changed
      and (d.hostname is distinct from shown.hostname or d.health is distinct from shown.health);
    return null;
  end $$;
  create trigger copy_added after insert on device_properties
    for each row when (new.name in ${shownNames}) execute function copy_shown_properties();
  create trigger copy_changed after update on device_properties
    for each row when (new.name in ${shownNames}) execute function copy_shown_properties();
  create trigger copy_removed after delete on device_properties
    for each row when (old.name in ${shownNames}) execute function copy_shown_properties();

  create function note_property_names() returns trigger language plpgsql ${byIndex} as $$ begin
    insert into project_property_names (project_id, name)
      select distinct d.project_id, a.name from added a
      cross join lateral (select project_id from devices where device_id = a.device_id offset 0) as d
      where not exists (select 1 from project_property_names k where k.project_id = d.project_id and k.name = a.name)
      order by 1, 2 on conflict do nothing;
    return null;
  end $$;
  create trigger note_names after insert on device_properties
    referencing new table as added for each statement execute function note_property_names();
`;

/** Who inserts or ends a connection holds the lock of its device. */
const ofConnections = sql`
  create function show_added_connections() returns trigger language plpgsql ${byIndex} as $$ begin
    update devices d set open_node = coalesce(a.open_node, d.open_node),
      last_connected_at = greatest(d.last_connected_at, a.connected_at), last_seen_at = greatest(d.last_seen_at, a.seen_at)
      from (
        select device_id, max(connected_at) as connected_at, max(coalesce(ended_at, connected_at)) as seen_at,
          (array_agg(node_id order by connected_at desc) filter (where ended_at is null))[1] as open_node
        from added group by device_id order by device_id
      ) as a where d.device_id = a.device_id;
    return null;
  end $$;
  create trigger show_added after insert on device_connections
    referencing new table as added for each statement execute function show_added_connections();

  create function show_ended_connections() returns trigger language plpgsql ${byIndex} as $$ begin
    update devices d set last_seen_at = greatest(d.last_seen_at, e.ended_at), open_node = (
        select c.node_id from device_connections c where c.device_id = d.device_id and ${isOpen}
        order by c.connected_at desc limit 1
      ) from (
        select n.device_id, max(n.ended_at) as ended_at from before o join after n using (connection_id)
        where o.ended_at is null and n.ended_at is not null group by n.device_id order by n.device_id
      ) as e where d.device_id = e.device_id;
    return null;
  end $$;
  create trigger show_ended after update on device_connections
    referencing old table as before new table as after for each statement execute function show_ended_connections();
`;

const presentRows = sql`
  update devices d set hostname = present.hostname, health = present.health, last_connected_at = present.last_connected_at,
      last_seen_at = present.last_seen_at, open_node = present.open_node
    from (
      select d.device_id, shown.*, connected.* from devices d cross join lateral (${shownProperties}) as shown
      cross join lateral (
        select max(c.connected_at) as last_connected_at, max(coalesce(c.ended_at, c.connected_at)) as last_seen_at,
          (array_agg(c.node_id order by c.connected_at desc) filter (where c.ended_at is null))[1] as open_node
        from device_connections c where c.device_id = d.device_id
      ) as connected
    ) as present where d.device_id = present.device_id
      and (present.hostname, present.health, present.last_connected_at) is distinct from (null, null, null);
  insert into project_property_names (project_id, name)
    select distinct d.project_id, p.name from device_properties p join devices d using (device_id);
`;

/** Adds to devices what their list shows, maintained by triggers, which also see the writes of a hub of the previous release. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of [columns, ofProperties, ofConnections, presentRows]) await part.execute(db);
}
