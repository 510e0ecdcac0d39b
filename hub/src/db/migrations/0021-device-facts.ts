import { sql, type Kysely } from 'kysely';

/**
 * What filters of a project test in properties and metadata, which have an empty name here, and the values that its devices have there. A key is added when it is
 * first asked for, and used once a job has read what devices had before; nothing is kept of what nobody asks for. The order of texts is that of JSON paths.
 */
const tables = sql`
  create table fact_keys (
    key_id integer generated always as identity primary key,
    project_id text not null references projects on delete cascade,
    property text not null,
    path text not null,
    state text not null default 'New' check (state in ('New', 'Building', 'Ready', 'Unfit', 'Dropped')),
    built_after xid8,
    built_at timestamptz not null default '-infinity',
    built_to text not null default '',
    used_at timestamptz not null,
    unique (project_id, property, path)
  );
  create table device_facts (
    key_id integer not null,
    device_id text not null,
    value_text text collate "C",
    value_num numeric,
    value_flag boolean
  );
  create index device_facts_by_text on device_facts (key_id, value_text, device_id);
  create index device_facts_by_number on device_facts (key_id, value_num, device_id) where value_num is not null;
  create index device_facts_by_device on device_facts (device_id, key_id);
`;

/** At most so many values of a device under one key; a text is kept up to one character more than a filter compares. */
const [maxValues, maxText, maxDigits] = [20, 201, 100].map((number) => sql.lit(number)) as [
  ReturnType<typeof sql.lit>,
  ReturnType<typeof sql.lit>,
  ReturnType<typeof sql.lit>,
];

/**
 * Paths unwrap arrays once on the way to a value and once to compare it. A row without a value stands for one that is no scalar. Where a device
 * has more, or longer numbers, the key is given up, and filters read the documents. Who writes a document holds the lock of its row, so two never write the facts of one.
 */
const functions = sql`
  create function facts_of(document jsonb, path text)
    returns table (value_text text, value_num numeric, value_flag boolean) language sql immutable as $$
    with scalars as (
      select v, jsonb_typeof(v) as kind from jsonb_path_query(document, (path || '[*][*]')::jsonpath, '{}', true) as v
      where jsonb_typeof(v) in ('string', 'number', 'boolean')
    )
    (select distinct case when kind = 'string' then left(v #>> '{}', ${maxText}) end, case when kind = 'number' then v::numeric end,
      case when kind = 'boolean' then v::boolean end from scalars limit ${maxValues} + 1)
    union all
    select null, null, null
      where not exists (select 1 from scalars) and jsonb_path_exists(document, (path || ' ? (@ != null)')::jsonpath, '{}', true)
  $$;

  create function write_facts(key integer, device text, document jsonb, path text) returns void
    language plpgsql set enable_seqscan = off as $$
  begin
    with fresh as materialized (
      select * from facts_of(document, path)
    ), fits as materialized (
      select count(*) <= ${maxValues} and coalesce(max(length(value_num::text)) <= ${maxDigits}, true) as ok from fresh
    ), unfit as (
      update fact_keys set state = 'Unfit' from fits where not ok and key_id = key and state <> 'Unfit'
    ), gone as (
      delete from device_facts f using fits where ok and f.key_id = key and f.device_id = device and not exists (
        select 1 from fresh n where (n.value_text, n.value_num, n.value_flag) is not distinct from (f.value_text, f.value_num, f.value_flag))
    )
    insert into device_facts (key_id, device_id, value_text, value_num, value_flag)
      select key, device, n.* from fresh n where (select ok from fits) and not exists (
        select 1 from device_facts f where f.key_id = key and f.device_id = device
          and (n.value_text, n.value_num, n.value_flag) is not distinct from (f.value_text, f.value_num, f.value_flag));
  end $$;
`;

/** Most writes leave what is at a place as it was. */
const differs = (column: ReturnType<typeof sql>) => sql`
        jsonb_path_query_array(old.${column}, path::jsonpath, '{}', true) is distinct from jsonb_path_query_array(new.${column}, path::jsonpath, '{}', true)`;

const triggers = sql`
  create function note_property_facts() returns trigger language plpgsql set enable_seqscan = off as $$
  declare changed device_properties := case when tg_op = 'DELETE' then old else new end; k record;
  begin
    for k in select key_id, path from fact_keys where property = changed.name and state in ('New', 'Building', 'Ready')
      and project_id = (select project_id from all_devices where device_id = changed.device_id)
      and (tg_op <> 'UPDATE' or ${differs(sql`value`)}) order by key_id
    loop
      perform write_facts(k.key_id, changed.device_id, case when tg_op = 'DELETE' then null else new.value end, k.path);
    end loop;
    return null;
  end $$;
  create trigger note_added_facts after insert or delete on device_properties
    for each row execute function note_property_facts();
  create trigger note_changed_facts after update on device_properties
    for each row when (old.value is distinct from new.value) execute function note_property_facts();

  create function note_metadata_facts() returns trigger language plpgsql set enable_seqscan = off as $$
  declare k record;
  begin
    for k in select key_id, path from fact_keys
      where project_id = new.project_id and property = '' and state in ('New', 'Building', 'Ready')
      and (tg_op <> 'UPDATE' or ${differs(sql`metadata`)}) order by key_id
    loop
      perform write_facts(k.key_id, new.device_id, new.metadata, k.path);
    end loop;
    return null;
  end $$;
  create trigger note_added_facts after insert on all_devices
    for each row when (new.metadata <> '{}') execute function note_metadata_facts();
  create trigger note_changed_facts after update of metadata on all_devices
    for each row when (old.metadata is distinct from new.metadata) execute function note_metadata_facts();

  create function delete_device_facts() returns trigger language plpgsql set enable_seqscan = off as $$ begin
    delete from device_facts where device_id in (select device_id from gone);
    return null;
  end $$;
  create trigger delete_facts after delete on all_devices
    referencing old table as gone for each statement execute function delete_device_facts();
`;

/** Adds the values that filters look up instead of reading documents; empty at first, so that nothing is read or written at an upgrade. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of [tables, functions, triggers]) await part.execute(db);
}
