import { sql, type Kysely } from 'kysely';

/**
 * The size of the metadata as JSON, which counts for the quota of a device: `{}` counts nothing. It is null for devices from before, until their metadata is written; only large metadata is
 * measured here, since it would be read from its own pages at each write of a property.
 */
const metadataSize = sql`
  create function metadata_size(metadata jsonb) returns integer language sql immutable as $$
    select case when metadata = '{}' then 0 else octet_length(metadata::text) end
  $$;
  alter table all_devices add column metadata_bytes integer;
  alter table all_devices alter column metadata_bytes set default 0;
  create or replace view devices as
    select * from all_devices d where exists (select 1 from projects p where p.project_id = d.project_id);

  create function measure_metadata() returns trigger language plpgsql as $$ begin
    new.metadata_bytes := metadata_size(new.metadata);
    return new;
  end $$;
  create trigger measure_added before insert on all_devices
    for each row when (new.metadata <> '{}') execute function measure_metadata();
  create trigger measure_changed before update of metadata on all_devices
    for each row execute function measure_metadata();
  update all_devices set metadata_bytes = metadata_size(metadata) where pg_column_size(metadata) > 2000;
`;

/** A plan that was kept from when a table was small would be slow once it is large. */
const byIndex = sql`set plan_cache_mode = force_custom_plan set enable_seqscan = off`;

/**
 * At most 5,000 names are listed for a project; transactions at the same time may add a few more. A project whose list was found full is not counted again within the hour, so that
 * not every write of a device reads the whole list. Whoever lists a name, or finds it listed, shares a lock with others who do, until the end of the transaction; the job that deletes
 * names takes it alone. Names share 256 locks, so that a transaction with many names does not take all that the server has.
 *
 * A list no longer goes in the transaction that deletes its project, since older ones may be long: a job deletes it in steps.
 */
const propertyNames = sql`
  alter table project_property_names drop constraint project_property_names_project_id_fkey;
  alter table all_projects add column property_names_full_at timestamptz;

  create function property_name_bucket(name text) returns integer language sql immutable as $$
    select hashtext(name) & 255
  $$;
  create or replace function note_property_names() returns trigger language plpgsql ${byIndex} as $$
  declare
    missing record;
  begin
    perform pg_advisory_xact_lock_shared(7201149, bucket)
      from (select distinct property_name_bucket(name) as bucket from added order by 1) as buckets;
    for missing in
      select distinct d.project_id, a.name from added a
      cross join lateral (select project_id from devices where device_id = a.device_id offset 0) as d
      where not exists (select 1 from project_property_names k where k.project_id = d.project_id and k.name = a.name)
      order by 1, 2
    loop
      continue when exists (
        select 1 from all_projects where project_id = missing.project_id and property_names_full_at > now() - interval '1 hour');
      if exists (select 1 from project_property_names where project_id = missing.project_id offset 4999) then
        update all_projects set property_names_full_at = now() where project_id in (
          select project_id from all_projects where project_id = missing.project_id for no key update skip locked);
      else
        insert into project_property_names (project_id, name) values (missing.project_id, missing.name) on conflict do nothing;
      end if;
    end loop;
    return null;
  end $$;
`;

/** Counts metadata for the quota of a device, and limits the names of properties that are listed for a project. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of [metadataSize, propertyNames]) await part.execute(db);
}
