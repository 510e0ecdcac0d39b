import { sql, type Kysely, type RawBuilder } from 'kysely';

/** Texts of ASCII use the collation "C", whose lower case does not depend on the language of the database. The separator is none of them. */
const lowered = (text: RawBuilder<unknown>) => sql`replace(coalesce(
  case when octet_length(${text}) = char_length(${text}) then lower(${text} collate "C") else lower(${text}) end, ''), chr(1), '')`;

/**
 * The id, the name and the host name, each after a separator, so that a text at the start of one can be told from one within. They are in a table of their own, because each change of a
 * device, such as that it connects, would otherwise write the index of trigrams again where its page is full. The lock keeps writers out until the triggers are there.
 */
const table = sql`
  lock table all_devices in share row exclusive mode;
  create function searched_texts(device_id text, name text, hostname text) returns text language sql stable as $$
    select chr(1) || 'd_' || lower(device_id collate "C") || chr(1) || ${lowered(sql`name`)} || chr(1) || ${lowered(sql`hostname`)}
  $$;
  create table device_texts (
    device_id text primary key,
    project_id text not null,
    texts text collate "C" not null
  );
  insert into device_texts (device_id, project_id, texts)
    select device_id, project_id, searched_texts(device_id, name, hostname) from all_devices;
  create index device_texts_by_project on device_texts (project_id);
`;

/** A plan that was kept from when the table was small would be slow once it is large. */
const byIndex = sql`set plan_cache_mode = force_custom_plan set enable_seqscan = off`;

/** Who changes or deletes a device holds the lock of its row. */
const triggers = sql`
  create function add_device_texts() returns trigger language plpgsql as $$ begin
    insert into device_texts (device_id, project_id, texts)
      select device_id, project_id, searched_texts(device_id, name, hostname) from added;
    return null;
  end $$;
  create trigger add_texts after insert on all_devices
    referencing new table as added for each statement execute function add_device_texts();

  create function change_device_texts() returns trigger language plpgsql ${byIndex} as $$ begin
    update device_texts set project_id = new.project_id, texts = searched_texts(new.device_id, new.name, new.hostname)
      where device_id = new.device_id;
    return null;
  end $$;
  create trigger change_texts after update of name, hostname, project_id on all_devices for each row
    when ((old.name, old.hostname, old.project_id) is distinct from (new.name, new.hostname, new.project_id))
    execute function change_device_texts();

  create function delete_device_texts() returns trigger language plpgsql ${byIndex} as $$ begin
    delete from device_texts where device_id in (select device_id from gone);
    return null;
  end $$;
  create trigger delete_texts after delete on all_devices
    referencing old table as gone for each statement execute function delete_device_texts();
`;

/**
 * The extension comes with PostgreSQL, and who may create schemas in a database may add it. Where it is missing or forbidden, devices are found without an index. Entries
 * are written at once: a search would read a list of pending ones from its start.
 */
const index = sql`
  do $$ begin
    create extension if not exists pg_trgm;
    execute format('create index device_texts_by_trigram on device_texts using gin (texts %s.gin_trgm_ops) with (fastupdate = off)',
      (select extnamespace::regnamespace from pg_extension where extname = 'pg_trgm'));
  exception when insufficient_privilege or feature_not_supported or undefined_file or undefined_object then
    raise notice 'Devices are searched without an index of trigrams: %', sqlerrm;
  end $$;
`;

/** Adds what a search of devices looks for, maintained by triggers, which also see the writes of a hub of the previous release. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of [table, triggers, index]) await part.execute(db);
}
