import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';
import { jobsSchema } from '../db/jobs-schema.ts';
import { listOrder, sortKey, type Slice } from './paging/list-order.ts';

/** A job as the queue stores it. */
export interface JobRow {
  /** A UUID. */
  readonly id: string;
  readonly name: string;
  readonly state: 'created' | 'retry' | 'active' | 'completed' | 'cancelled' | 'failed';
  readonly retry_count: number;
  readonly retry_limit: number;
  readonly retry_delay: number;
  readonly expire_seconds: number;
  readonly created_on: string;
  readonly started_on: string | null;
  readonly completed_on: string | null;
  /** The message of the error that the last attempt ended with. */
  readonly error: string | null;
}

/** All jobs, newest first. */
export const jobsNewestFirst = listOrder<JobRow>('jobs_QueryJobs', 'desc', [
  sortKey('created_on', 'timestamptz'),
  sortKey('id', 'text', sql`id::text`),
]);

/** Reads a slice of the jobs, without the queue's internal ones; empty on a database where no job queue has been started. */
export async function readJobs(tx: Database, slice: Slice): Promise<JobRow[]> {
  const { rows: tables } = await sql`
    select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${jobsSchema} and c.relname = 'job'`.execute(tx);
  if (tables.length === 0) return [];
  const { rows } = await sql<JobRow>`
    select id::text, name, state, retry_count, retry_limit, retry_delay, expire_seconds, created_on, started_on, completed_on,
      coalesce(output ->> 'message', output -> 'value' ->> 'message') as error
    from ${sql.id(jobsSchema, 'job')}
    where name not like '\\_\\_pgboss\\_\\_%' and ${slice.follows} ${slice.orderAndLimit}`.execute(tx);
  return rows;
}
