import { sql, type Kysely } from 'kysely';

/**
 * The counts of a project are the sums over both tables. A write only appends to the changes, so that two devices of a project never wait for each other;
 * the upkeep adds the changes to the counts. The node is empty but for connections.
 */
const tables = sql`
  create table project_counts (
    project_id text not null,
    node_id text not null,
    devices bigint not null default 0,
    pending_certificates bigint not null default 0,
    open_connections bigint not null default 0,
    primary key (project_id, node_id)
  );
  create table project_count_changes (
    project_id text not null,
    node_id text not null,
    devices bigint not null default 0,
    pending_certificates bigint not null default 0,
    open_connections bigint not null default 0
  );
  create index project_count_changes_by_project on project_count_changes (project_id);
`;

/** A plan that was kept from when a table was small would be quadratic once it is large: the statements are planned each time, and look up each row. */
const byIndex = sql`set plan_cache_mode = force_custom_plan set enable_seqscan = off`;

/** As a plain `is null`, the planner may read the whole index of open connections by node for each device. */
const isOpen = sql`coalesce(ended_at, 'infinity') = 'infinity'`;

/** Of the open connections of a device at most one is not listed here; a device with one open connection counts without being looked up. */
const additional = sql`
  create table additional_connections (
    connection_id text primary key,
    device_id text not null
  );
  create index additional_connections_by_device on additional_connections (device_id);
`;

/**
 * A device never changes its project. What a deleted device owned is subtracted before the cascade, which can no longer look up the project; it is locked
 * first, so that a concurrent change is either seen or prevented.
 */
const ofDevices = sql`
  create function count_added_devices() returns trigger language plpgsql ${byIndex} as $$ begin
    insert into project_count_changes (project_id, node_id, devices)
      select project_id, '', count(*) from added group by project_id;
    return null;
  end $$;
  create trigger count_added after insert on devices
    referencing new table as added for each statement execute function count_added_devices();

  create function subtract_deleted_device() returns trigger language plpgsql ${byIndex} as $$ begin
    perform 1 from device_certificates where device_id = old.device_id for update;
    perform 1 from device_connections where device_id = old.device_id and ${isOpen} for update;
    insert into project_count_changes (project_id, node_id, devices, pending_certificates)
      select old.project_id, '', -1, -count(*) from device_certificates
      where device_id = old.device_id and status = 'Pending';
    insert into project_count_changes (project_id, node_id, open_connections)
      select old.project_id, node_id, -count(*) from device_connections
      where device_id = old.device_id and ${isOpen} group by node_id;
    return old;
  end $$;
  create trigger subtract_deleted before delete on devices for each row execute function subtract_deleted_device();
`;

const ofCertificates = sql`
  create function count_pending_certificate() returns trigger language plpgsql ${byIndex} as $$ begin
    insert into project_count_changes (project_id, node_id, pending_certificates)
      select project_id, '', case when tg_op <> 'DELETE' and new.status = 'Pending' then 1 else -1 end from devices
      where device_id = case when tg_op = 'DELETE' then old.device_id else new.device_id end;
    return null;
  end $$;
  create trigger count_added after insert on device_certificates
    for each row when (new.status = 'Pending') execute function count_pending_certificate();
  create trigger count_changed after update on device_certificates
    for each row when ((old.status = 'Pending') <> (new.status = 'Pending')) execute function count_pending_certificate();
  create trigger subtract_deleted after delete on device_certificates
    for each row when (old.status = 'Pending') execute function count_pending_certificate();
`;

/**
 * Who inserts a connection holds the lock of its device, so the second open connection sees the first. An ended connection may leave one behind that
 * need not be listed any more; a locked row is skipped, which only costs a lookup later.
 */
const ofConnections = sql`
  create function count_added_connections() returns trigger language plpgsql ${byIndex} as $$ begin
    insert into project_count_changes (project_id, node_id, open_connections)
      select d.project_id, a.node_id, count(*) from added a
      cross join lateral (select project_id from devices where device_id = a.device_id offset 0) as d
      where a.ended_at is null group by d.project_id, a.node_id;
    insert into additional_connections (connection_id, device_id)
      select a.connection_id, a.device_id from added a cross join lateral (
        select 1 from device_connections c
        where c.device_id = a.device_id and ${isOpen} and c.connection_id <> a.connection_id limit 1
      ) as other where a.ended_at is null;
    return null;
  end $$;
  create trigger count_added after insert on device_connections
    referencing new table as added for each statement execute function count_added_connections();

  create function subtract_ended_connections() returns trigger language plpgsql ${byIndex} as $$ begin
    insert into project_count_changes (project_id, node_id, open_connections)
      select d.project_id, o.node_id, -count(*) from before o join after n using (connection_id)
      cross join lateral (select project_id from devices where device_id = o.device_id offset 0) as d
      where o.ended_at is null and n.ended_at is not null group by d.project_id, o.node_id;
    delete from additional_connections where connection_id in (
      select a.connection_id from additional_connections a where a.device_id in (
        select device_id from after where ended_at is not null
      ) and (
        a.connection_id in (select connection_id from after where ended_at is not null)
        or not exists (
          select 1 from device_connections c
          where c.device_id = a.device_id and ${isOpen} and c.connection_id <> a.connection_id)
      ) for update skip locked);
    return null;
  end $$;
  create trigger subtract_ended after update on device_connections
    referencing old table as before new table as after for each statement execute function subtract_ended_connections();

  create function subtract_deleted_connection() returns trigger language plpgsql ${byIndex} as $$ begin
    insert into project_count_changes (project_id, node_id, open_connections)
      select project_id, old.node_id, -1 from devices where device_id = old.device_id;
    delete from additional_connections where connection_id = old.connection_id;
    return null;
  end $$;
  create trigger subtract_deleted after delete on device_connections
    for each row when (old.ended_at is null) execute function subtract_deleted_connection();
`;

const presentRows = sql`
  insert into project_counts (project_id, node_id, devices, pending_certificates, open_connections)
  select project_id, node_id, sum(devices), sum(pending), sum(open) from (
    select project_id, '' as node_id, count(*) as devices, 0 as pending, 0 as open from devices group by project_id
    union all
    select d.project_id, '', 0, count(*), 0 from device_certificates c join devices d using (device_id)
      where c.status = 'Pending' group by d.project_id
    union all
    select d.project_id, c.node_id, 0, 0, count(*) from device_connections c join devices d using (device_id)
      where c.ended_at is null group by d.project_id, c.node_id
  ) as present group by project_id, node_id;
  insert into additional_connections (connection_id, device_id)
    select connection_id, device_id from device_connections c where ended_at is null and exists (
      select 1 from device_connections o
      where o.device_id = c.device_id and o.ended_at is null and o.connection_id <> c.connection_id);
`;

/** Maintains the counts of a project by triggers, which also see the writes of a hub of the previous release. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of [tables, additional, ofDevices, ofCertificates, ofConnections, presentRows])
    await part.execute(db);
}
