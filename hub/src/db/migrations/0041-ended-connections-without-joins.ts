import { sql, type Kysely } from 'kysely';

/** A plan that was kept from when a table was small would be quadratic once it is large. */
const byIndex = sql`set plan_cache_mode = force_custom_plan set enable_seqscan = off`;
/** As a plain `is null`, the planner may read the whole index of open connections by node for each device. */
const isOpen = sql`coalesce(c.ended_at, 'infinity') = 'infinity'`;
/**
 * The connections that the statement ended: those that were open before and are not afterwards. A join of the two tables of rows would be quadratic: the
 * planner keeps the numbers of rows that they had when the session called the function first.
 */
const ended = sql`
  select min(device_id) as device_id, min(node_id) as node_id, max(ended_at) as ended_at from (
    select connection_id, device_id, node_id, ended_at from before where ended_at is null
    union all select connection_id, device_id, node_id, ended_at from after where ended_at is not null
  ) as either group by connection_id having count(*) = 2
`;

/**
 * For each device with an ended connection, its additional ones are looked up: hardly any device has some, until a hub dies and its devices come back to others before
 * its lease ends. The statistics then still say that the table is empty, and a join read all of it for each row of it.
 */
const subtract = sql`
  create or replace function subtract_ended_connections() returns trigger language plpgsql ${byIndex} as $$ begin
    insert into project_count_changes (project_id, node_id, open_connections)
      select d.project_id, e.node_id, -count(*) from (${ended}) as e
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
`;

const show = sql`
  create or replace function show_ended_connections() returns trigger language plpgsql ${byIndex} as $$ begin
    update all_devices d set last_seen_at = greatest(d.last_seen_at, e.ended_at), open_node = (
        select c.node_id from device_connections c where c.device_id = d.device_id and ${isOpen}
        order by c.connected_at desc limit 1
      ) from (
        select device_id, max(ended_at) as ended_at from (${ended}) as each_one group by device_id order by device_id
      ) as e where d.device_id = e.device_id;
    return null;
  end $$;
`;

/** Lets thousands of connections end in one statement at the cost of thousands, whatever the statistics say. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of [subtract, show]) await part.execute(db);
}
