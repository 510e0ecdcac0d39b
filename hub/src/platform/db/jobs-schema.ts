import { sql } from 'kysely';
import type { Database } from './connect.ts';

/** The schema that holds the tables of the job queue. */
export const jobsSchema = 'corral_jobs';

const insufficientPrivilege = '42501';
/** Another node created it in the same moment, which `if not exists` does not see. */
const uniqueViolation = '23505';

/** Creates the schema of the job queue if it is missing; safe when several nodes start at once. Throws an Error that tells the operator what to do if the role lacks the permission. */
export async function ensureJobsSchema(db: Database): Promise<void> {
  const { rows } = await sql`select 1 from pg_namespace where nspname = ${jobsSchema}`.execute(db);
  if (rows.length > 0) return;
  try {
    await sql`create schema if not exists ${sql.id(jobsSchema)}`.execute(db);
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === uniqueViolation) return;
    if (code !== insufficientPrivilege) throw error;
    throw new Error(
      `its role may not create schemas; run "create schema ${jobsSchema} authorization <role>" as the owner of the database`,
      { cause: error },
    );
  }
}
