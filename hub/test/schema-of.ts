import { sql } from 'kysely';
import { loadConfig } from '../src/config/config.ts';
import { openExistingDatabase } from '../src/operator/open-existing-database.ts';

/** Everything of a schema but its rows and the names of what PostgreSQL names itself. */
export async function schemaOf(settings: Record<string, string>): Promise<unknown[]> {
  const database = await openExistingDatabase(loadConfig({ argv: [], env: settings }));
  try {
    const { rows } = await sql`
      select 'column' as kind, c.relname || '.' || attname as name, format_type(atttypid, atttypmod) || attnotnull::text || attidentity::text as is
        from pg_attribute a join pg_class c on c.oid = attrelid
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and attnum > 0 and not attisdropped
      union all select 'constraint', conrelid::regclass::text, pg_get_constraintdef(oid) from pg_constraint
        where connamespace = 'public'::regnamespace and contype <> 'n'
      union all select 'index', indrelid::regclass::text, regexp_replace(pg_get_indexdef(indexrelid), 'INDEX \\S+ ON', '')
        from pg_index join pg_class c on c.oid = indrelid where relnamespace = 'public'::regnamespace
      union all select 'trigger', tgrelid::regclass::text, pg_get_triggerdef(oid) || tgenabled::text from pg_trigger where not tgisinternal
        and tgrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
      union all select 'function', proname, md5(case proname when 'audit_position_offset' then '' else prosrc end) || prosecdef::text
        from pg_proc where pronamespace = 'public'::regnamespace
      union all select 'partition', inhrelid::regclass::text, pg_get_expr(relpartbound, c.oid) from pg_inherits join pg_class c on c.oid = inhrelid
        where relkind = 'r'
      order by 1, 2, 3`.execute(database.db);
    return rows;
  } finally {
    await database.close();
  }
}
