import { sql, type Kysely } from 'kysely';
import { jobsSchema } from './jobs-schema.ts';
import type { Tables } from './tables.ts';

/** The role that the hub works as in its own PostgreSQL. */
export const hubRole = 'corral_hub';

/** The tables of the audit log that the hub need only read and add to; in its own PostgreSQL they belong to the role that migrates. */
export const appendOnlyTables = [
  'audit_actions',
  'audit_events',
  'audit_event_entities',
  'audit_seals',
  'audit_cuts',
];
const ofTheOwner = [
  ...appendOnlyTables,
  'schema_migrations',
  'schema_migrations_lock',
  'schema_compatibility',
];

/**
 * Creates the role, without any right over the server, and gives it the tables: all but those of the audit log, in which it may only insert, read, and end
 * commands. It owns the others, because it creates partitions and the job queue keeps its own tables. Sets its password; safe to repeat.
 */
export async function prepareHubRole(owner: Kysely<Tables>, password: string): Promise<void> {
  await owner.transaction().execute(async (tx) => {
    const { rows } = await sql`select 1 from pg_roles where rolname = ${hubRole}`.execute(tx);
    const role = sql.id(hubRole);
    if (rows.length === 0) await sql`create role ${role}`.execute(tx);
    await sql`
      alter role ${role} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password ${sql.lit(password)};
      grant usage, create on schema public to ${role};
      alter schema ${sql.id(jobsSchema)} owner to ${role};
    `.execute(tx);
    for (const statement of await ownershipStatements(tx)) await sql.raw(statement).execute(tx);
    const tables = sql.join(appendOnlyTables.map((name) => sql.id(name)));
    await sql`
      revoke all on ${tables} from ${role};
      grant select, insert on ${tables} to ${role};
      grant update (status) on audit_actions to ${role};
      grant execute on function cut_audit_log(bigint) to ${role};
    `.execute(tx);
  });
}

/** The statements that give the role what it does not own yet, in the hub's two schemas. */
async function ownershipStatements(tx: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ statement: string }>`
    with ours as (select oid from pg_namespace where nspname in ('public', ${jobsSchema})),
      role as (select oid from pg_roles where rolname = ${hubRole})
    select format('alter table %s owner to ${sql.id(hubRole)}', c.oid::regclass) as statement from pg_class c
      where relnamespace in (select oid from ours) and relkind in ('r', 'p', 'v', 'm') and relowner <> (select oid from role)
        and relname <> all(${ofTheOwner})
    union all
    select format('alter sequence %s owner to ${sql.id(hubRole)}', c.oid::regclass) from pg_class c
      where relnamespace in (select oid from ours) and relkind = 'S' and relowner <> (select oid from role)
        and not exists (select 1 from pg_depend where objid = c.oid and deptype in ('a', 'i'))
    union all
    select format('alter type %s owner to ${sql.id(hubRole)}', t.oid::regtype) from pg_type t
      where typnamespace in (select oid from ours) and typtype in ('e', 'd') and typowner <> (select oid from role)
    union all
    select format('alter function %s owner to ${sql.id(hubRole)}', p.oid::regprocedure) from pg_proc p
      join pg_namespace n on n.oid = pronamespace
      where n.nspname = ${jobsSchema} and proowner <> (select oid from role)`.execute(tx);
  return rows.map(({ statement }) => statement);
}
