import { sql, type Kysely } from 'kysely';
import type { Tables } from '../src/platform/db/tables.ts';

/** Our own schema in a test database. It remembers the migrated state, and emptying leaves it alone. */
const preparation = `
  create schema test_reset;

  create view test_reset.current_tables as
    select c.oid::regclass as name, relkind from pg_class c join pg_namespace n on n.oid = relnamespace
    where relkind in ('r', 'p') and nspname !~ '^pg_' and nspname not in ('information_schema', 'test_reset');

  create view test_reset.current_structure as
    select attrelid::regclass::text as name, md5(string_agg(concat_ws(' ', attname, atttypid, attnotnull, atthasdef,
      (select count(*) from pg_index where indrelid = attrelid), (select count(*) from pg_constraint where conrelid = attrelid),
      (select count(*) from pg_trigger where tgrelid = attrelid)), ',' order by attnum)) as digest
    from pg_attribute where attrelid in (select name from test_reset.current_tables) and attnum > 0 and not attisdropped
    group by attrelid;

  create table test_reset.schemas as select nspname as name from pg_namespace;
  create table test_reset.structure as select * from test_reset.current_structure;
  create table test_reset.filled (name text, copy text);

  do $$ declare t record; is_filled boolean; begin
    for t in select name from test_reset.current_tables where relkind = 'r' loop
      execute format('select exists (select from %s)', t.name) into is_filled;
      continue when not is_filled;
      execute format('create table test_reset.%I as table %s', 'rows of ' || t.name, t.name);
      insert into test_reset.filled values (t.name, format('test_reset.%I', 'rows of ' || t.name));
    end loop;
  end $$;

  create function test_reset.empty() returns void language plpgsql as $$
    declare t record; used text;
    begin
      perform pg_terminate_backend(pid, 5000) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend';
      for t in select nspname from pg_namespace where nspname !~ '^pg_' and nspname not in (select name from test_reset.schemas) loop
        execute format('drop schema %I cascade', t.nspname);
      end loop;
      for t in select name::text from test_reset.current_tables where name::text not in (select name from test_reset.structure) loop
        execute format('drop table if exists %s cascade', t.name);
      end loop;
      for t in (table test_reset.structure except table test_reset.current_structure) loop
        raise exception 'this test changed the table %: take a database of its own with ownDatabase()', t.name;
      end loop;
      set local session_replication_role = replica;
      select string_agg(name::text, ', ') into used from test_reset.current_tables where relkind = 'r' and pg_relation_size(name) > 0;
      if used is not null then execute 'truncate ' || used || ' cascade'; end if;
      for t in select name, copy from test_reset.filled loop
        execute format('insert into %s table %s', t.name, t.copy);
      end loop;
      perform setval(format('%I.%I', schemaname, sequencename), start_value, false) from pg_sequences
        where schemaname <> 'test_reset' and last_value is not null;
    end
  $$;
`;

/** Prepares a migrated database, or a template of databases, for `emptyDatabase`. */
export async function prepareEmptying(db: Kysely<Tables>): Promise<void> {
  await sql.raw(preparation).execute(db);
}

/**
 * Brings a database back to its migrated state: ends all other connections to it, drops added schemas, tables and partitions, truncates what
 * has rows, restores the rows that migrations wrote and resets sequences. Fails when a migrated table was altered.
 */
export async function emptyDatabase(db: Kysely<Tables>): Promise<void> {
  await sql`select test_reset.empty()`.execute(db);
}
