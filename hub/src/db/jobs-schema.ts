import { sql } from 'kysely';
import type { Database } from './connect.ts';

/** The schema that holds the tables of the job queue. */
export const jobsSchema = 'corral_jobs';

const insufficientPrivilege = '42501';

/** Creates the schema of the job queue if it is missing. Throws an Error that tells the operator what to do if the role lacks the permission. */
export async function ensureJobsSchema(db: Database): Promise<void> {
  const { rows } = await sql`select 1 from pg_namespace where nspname = ${jobsSchema}`.execute(db);
  if (rows.length > 0) return;
  try {
    await sql`create schema if not exists ${sql.id(jobsSchema)}`.execute(db);
  } catch (error) {
    if ((error as { code?: unknown }).code !== insufficientPrivilege) throw error;
    throw new Error(
      `its role may not create schemas; run "create schema ${jobsSchema} authorization <role>" as the owner of the database`,
      { cause: error },
    );
  }
}
