import { sql, type Kysely } from 'kysely';
import { appendOnlyTables } from './hub-role.ts';
import { jobsSchema } from './jobs-schema.ts';
import type { Tables } from './tables.ts';

/** What an operator has to know of the server, and of the role that the caller works as. */
export interface ServerFacts {
  readonly version: string;
  readonly major: number;
  readonly role: string;
  readonly isSuperuser: boolean;
  /** A standby, or a role or database that may only read. */
  readonly isReadOnly: boolean;
  /** Whether a crash of the server may lose what it has confirmed. */
  readonly isUnsafe: boolean;
  readonly encoding: string;
  /** Whether the role may add tables. */
  readonly mayCreate: boolean;
  /** Whether the job queue has its schema, or the role may make it. */
  readonly mayHaveJobs: boolean;
  /** A role that tables belong to and that the caller is no member of. The tables of the audit log may belong to such a role. */
  readonly foreignOwner: string | null;
  /** A role whose rights do not suffice for the function that removes old rows of the audit log, which belongs to it; or the caller, if it may not call it. */
  readonly cannotCutAs: string | null;
  /** For all clients together, without those kept for superusers. */
  readonly maxConnections: number;
  /** The clock of the server, in milliseconds since 1970. */
  readonly timeMs: number;
}

/** Reads them in one statement. */
export async function readServerFacts(db: Kysely<Tables>): Promise<ServerFacts> {
  const { rows } = await sql<ServerFacts>`
    select current_setting('server_version') as version, current_setting('server_version_num')::integer / 10000 as major,
      current_user as role, (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser",
      pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as "isReadOnly",
      current_setting('fsync') <> 'on' or current_setting('full_page_writes') <> 'on' as "isUnsafe",
      (select pg_encoding_to_char(encoding) from pg_database where datname = current_database()) as encoding,
      has_schema_privilege('public', 'create') as "mayCreate",
      has_database_privilege(current_database(), 'create')
        or exists (select from pg_namespace where nspname = ${jobsSchema}) as "mayHaveJobs",
      (select tableowner from pg_tables where schemaname = 'public' and tablename <> all(${appendOnlyTables})
        and not pg_has_role(tableowner, 'member') limit 1) as "foreignOwner",
      (select case when has_function_privilege(p.oid, 'execute') then pg_get_userbyid(proowner) else current_user end
        from pg_proc p where pronamespace = 'public'::regnamespace and proname = 'cut_audit_log'
          and not (has_function_privilege(p.oid, 'execute') and (
            select bool_and(has_table_privilege(proowner, c.oid, 'select') and has_table_privilege(proowner, c.oid, 'delete')) from pg_class c
            where relnamespace = pronamespace and relname = any(${appendOnlyTables})))) as "cannotCutAs",
      current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer as "maxConnections",
      extract(epoch from clock_timestamp())::float8 * 1000 as "timeMs"`.execute(db);
  if (rows[0] === undefined) throw new Error('The database returned nothing about itself.');
  return rows[0];
}
