import { readFile } from 'node:fs/promises';
import { sql, type Kysely } from 'kysely';

/**
 * The extension comes with PostgreSQL, and who may create schemas in a database may add it. Where it is missing or forbidden, devices are found without an index. Entries
 * are written at once: a search would read a list of pending ones from its start.
 */
const trigrams = sql`
  do $$ begin
    create extension if not exists pg_trgm;
    execute format('create index device_texts_by_trigram on device_texts using gin (texts %s.gin_trgm_ops) with (fastupdate = off)',
      (select extnamespace::regnamespace from pg_extension where extname = 'pg_trgm'));
  exception when insufficient_privilege or feature_not_supported or undefined_file or undefined_object then
    raise notice 'Devices are searched without an index of trigrams: %', sqlerrm;
  end $$;
`;

/** The name of this Corral where it shares a message server with others, and the oldest release that may run on the schema. */
const rows = sql`
  insert into event_bus (instance_id) values (replace(gen_random_uuid()::text, '-', ''));
  insert into schema_compatibility (oldest_release) values ('0.1.0');
`;

/** Makes what the migrations from before the first release made one after the other. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const schema = await readFile(new URL('./0001-first-release.sql', import.meta.url), 'utf8');
  for (const part of [sql.raw(schema), trigrams, rows]) await part.execute(db);
}
