import { sql, type Kysely } from 'kysely';

/** The number of pending certificates of each device, by which a list of 100,000 devices is sorted without counting them. */
const column = sql`
  alter table all_devices add column pending_certificates integer not null default 0;
  create or replace view devices as
    select * from all_devices d where exists (select 1 from projects p where p.project_id = d.project_id);
`;

/** Differences are added, so that two writes for one device at the same time both count. Devices are locked by ascending id, as admission locks them. */
const triggers = sql`
  create function count_pending_of_devices() returns trigger language plpgsql
    set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$ begin
    if tg_op = 'INSERT' then
      update all_devices d set pending_certificates = d.pending_certificates + c.change from (
        select device_id, count(*) as change from added where status = 'Pending' group by device_id order by device_id
      ) as c where d.device_id = c.device_id;
    elsif tg_op = 'UPDATE' then
      update all_devices d set pending_certificates = d.pending_certificates + c.change from (
        select device_id, sum(pending) as change from (
          select device_id, -1 as pending from before where status = 'Pending'
          union all select device_id, 1 from after where status = 'Pending'
        ) as each_row group by device_id having sum(pending) <> 0 order by device_id
      ) as c where d.device_id = c.device_id;
    else
      update all_devices set pending_certificates = pending_certificates - 1 where device_id = old.device_id;
    end if;
    return null;
  end $$;
  create trigger count_added_of_devices after insert on device_certificates
    referencing new table as added for each statement execute function count_pending_of_devices();
  create trigger count_changed_of_devices after update on device_certificates
    referencing old table as before new table as after for each statement execute function count_pending_of_devices();
  create trigger count_deleted_of_devices after delete on device_certificates
    for each row when (old.status = 'Pending') execute function count_pending_of_devices();
`;

const presentRows = sql`
  update all_devices d set pending_certificates = c.pending
    from (select device_id, count(*) as pending from device_certificates where status = 'Pending' group by device_id) as c
    where d.device_id = c.device_id;
  create index devices_by_project_pending on all_devices (project_id, pending_certificates, created_at, device_id);
`;

/** Counts the pending certificates of each device by triggers, which also see the writes of a hub of the previous release. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of [column, triggers, presentRows]) await part.execute(db);
}
