import { idAlphabet, ids, type Id, type Input, type Output } from '@corral/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { jobsSchema } from '../../../platform/db/jobs-schema.ts';
import { sortKey, type Slice } from '../../../platform/db/paging/list-order.ts';
import { namedOrder } from '../../../platform/db/paging/named-order.ts';
import { anyOf, anyText, contains } from '../../../platform/db/paging/searched-text.ts';

/** A job as the queue stores it. */
export interface JobRow {
  /** A UUID. */
  readonly id: string;
  readonly name: string;
  readonly state: 'created' | 'retry' | 'active' | 'completed' | 'cancelled' | 'failed';
  /** The state as it is shown: one for all that have not ended, and one of its own for running out of time. */
  readonly status: Output<'jobs_QueryJobs'>['jobs'][number]['status'];
  /** What waits is 0, what runs 1, what has ended 2. */
  readonly queue_rank: number;
  /** How many attempts have begun. */
  readonly attempts: number;
  readonly retry_count: number;
  readonly retry_limit: number;
  readonly retry_delay: number;
  readonly expire_seconds: number;
  readonly created_on: string;
  readonly started_on: string | null;
  readonly completed_on: string | null;
  /** The message of the error that the last attempt ended with. */
  readonly error: string | null;
  /** How many objects its last attempt has looked at; null for a job that does not say so. */
  readonly examined: number | null;
  /** Failed and expired is 2, open 1, all else 0. */
  readonly urgency_rank: number;
  /** How many completed jobs it stands for; null where the list is not folded, and for other jobs. */
  readonly runs: number | null;
}

const newestFirst = '-timestamp';
const created = sortKey<JobRow>('created_on', 'timestamptz');
const id = sortKey<JobRow>('id', 'text');
const orders = {
  // A public id begins with the time.
  id: () => [created, id],
  timestamp: () => [created, id],
  type: () => [sortKey<JobRow>('name', 'text'), created, id],
  queued: () => [sortKey<JobRow>('queue_rank', 'bigint'), created, id],
  status: () => [sortKey<JobRow>('status', 'text'), created, id],
  urgency: () => [sortKey<JobRow>('urgency_rank', 'bigint'), created, id],
  attempts: () => [sortKey<JobRow>('attempts', 'bigint'), created, id],
};

/** All jobs in an order, newest first by default. */
export function jobsOrder(order: Input<'jobs_QueryJobs'>['order'] = newestFirst) {
  return namedOrder('jobs_QueryJobs', orders, order, newestFirst);
}

/** Which jobs are read. */
interface JobsFilter {
  readonly search: string | undefined;
  readonly status: JobRow['status'] | undefined;
  /** Whether the newest completed job of a type stands for all of them. */
  readonly isFolded: boolean;
}

/**
 * Reads a slice of the jobs with a status whose type, status or error contains a text, or whose id it is, without the queue's internal ones; empty on a database where no
 * job queue has been started.
 */
export async function readJobs(
  tx: Database,
  slice: Slice,
  { search, status, isFolded }: JobsFilter,
): Promise<JobRow[]> {
  if (!(await hasQueue(tx))) return [];
  const hasStatus = status === undefined ? sql<boolean>`true` : sql<boolean>`status = ${status}`;
  const { rows } = await sql<JobRow>`
    select * from (select ${columns}, ${isFolded ? foldedRuns : sql`null::bigint`} as runs from ${jobTable} where ${isOurs}) jobs
    where ${hasStatus} and ${isFolded ? isNewestRun : sql`true`} and ${contains(searched, search)} and ${slice.follows} ${slice.orderAndLimit}`.execute(
    tx,
  );
  return rows;
}

/** The number of jobs with each status, without the queue's internal ones; a status without jobs is absent. */
export async function countJobs(tx: Database): Promise<Partial<Record<JobRow['status'], number>>> {
  if (!(await hasQueue(tx))) return {};
  const { rows } = await sql<{ status: JobRow['status']; count: number }>`
    select status, count(*) from (select ${statusOf} as status from ${jobTable} where ${isOurs}) jobs
    group by status`.execute(tx);
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

const statuses = [
  'Pending',
  'Completed',
  'Failed',
  'Cancelled',
  'Expired',
] as const satisfies JobRow['status'][];
const searched = [anyText(sql`name`), anyText(sql`error`), anyOf(statuses, sql`status`), publicId];

/** The job whose public id a text is. Such an id has lost a part of the UUID, which some endings have in common. */
function publicId(_text: string, _place: unknown, typed: string): RawBuilder<boolean> | undefined {
  const { success, data: jobId } = ids.job.schema.safeParse(typed);
  if (!success) return undefined;
  const endings = uuidEndings(jobId);
  const minute = minuteOf(jobId);
  return sql<boolean>`(created_on >= ${minute}::timestamptz and created_on < ${minute}::timestamptz + interval '1 minute'
    and right(id, ${uuidDigits}) = any(${endings}))`;
}

const jobTable = sql.id(jobsSchema, 'job');
const isOurs = sql<boolean>`name not like '\\_\\_pgboss\\_\\_%'`;
const error = sql`coalesce(output ->> 'message', output -> 'value' ->> 'message')`;
/** pg-boss keeps nothing but these sentences of a job that took too long. */
const statusOf = sql`case when state = 'completed' then 'Completed' when state = 'cancelled' then 'Cancelled' when state <> 'failed' then 'Pending'
  when ${error} in ('job timed out', 'job heartbeat timeout') or ${error} like 'handler execution exceeded %' then 'Expired' else 'Failed' end`;
const columns = sql`id::text, name, state, retry_count, retry_limit, retry_delay, expire_seconds, created_on, started_on, completed_on,
  ${error} as error, (data ->> 'examined')::bigint as examined,
  case state when 'created' then 0 when 'retry' then 0 when 'active' then 1 else 2 end as queue_rank,
  case when started_on is null then 0 else retry_count + 1 end as attempts,
  case state when 'failed' then 2 when 'completed' then 0 when 'cancelled' then 0 else 1 end as urgency_rank,
  ${statusOf} as status`;
/** The number of completed jobs of a type at the newest of them, and 0 at the others. */
const foldedRuns = sql`case when state = 'completed' then
  case when row_number() over (partition by name, state order by created_on desc, id desc) = 1 then count(*) over (partition by name, state) else 0 end end`;
const isNewestRun = sql<boolean>`runs is distinct from 0`;

async function hasQueue(tx: Database): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${jobsSchema} and c.relname = 'job'`.execute(tx);
  return rows.length > 0;
}

/** Of each type of job with one that has ended in the last days, 1 if the newest of these failed, and 0 otherwise. */
export async function findFailingJobs(tx: Database): Promise<Record<string, 0 | 1>> {
  if (!(await hasQueue(tx))) return {};
  const { rows } = await sql<{ name: string; failing: 0 | 1 }>`
    select distinct on (name) name, (state = 'failed')::int as failing from ${jobTable}
    where ${isOurs} and state in ('completed', 'failed') order by name, completed_on desc, id desc`.execute(
    tx,
  );
  return Object.fromEntries(rows.map(({ name, failing }) => [name, failing]));
}

/** The jobs of a type that failed or expired lately. */
export interface JobFailures extends Pick<JobRow, 'id' | 'name' | 'created_on' | 'error'> {
  readonly failures: number;
  readonly failed_at: string;
  /** Whether none of the type has completed since. */
  readonly is_failing: boolean;
}

const maxFailingTypes = 40;

/** The types of jobs of which some failed since a time, with the last of these jobs, the latest first. */
export async function findFailures(tx: Database, since: Date): Promise<JobFailures[]> {
  if (!(await hasQueue(tx))) return [];
  const { rows } = await sql<JobFailures>`
    select * from (
      select distinct on (name) id::text, name, created_on, ${error} as error, completed_on as failed_at,
        count(*) over (partition by name) as failures,
        not exists (
          select 1 from ${jobTable} later where later.name = job.name and later.state = 'completed' and later.completed_on > job.completed_on
        ) as is_failing
      from ${jobTable} as job where ${isOurs} and state = 'failed' and completed_on >= ${since}
      order by name, completed_on desc, id desc
    ) as types order by failed_at desc, name limit ${maxFailingTypes}`.execute(tx);
  return rows;
}

/** The job with a public id, locked until the transaction ends. */
export async function lockJob(tx: Database, jobId: Id<'job'>): Promise<JobRow | undefined> {
  if (!(await hasQueue(tx))) return undefined;
  const minute = minuteOf(jobId);
  const { rows } = await sql<JobRow>`
    select ${columns} from ${jobTable}
    where ${isOurs} and created_on >= ${minute}::timestamptz and created_on < ${minute}::timestamptz + interval '1 minute'
    for update`.execute(tx);
  return rows.find((row) => jobIdOf(row) === jobId);
}

/** Whether another job of the same type waits or runs; the queue has at most one. */
export async function hasOtherOpenJob(tx: Database, { id, name }: JobRow): Promise<boolean> {
  const { rows } = await sql`
    select 1 from ${jobTable} where name = ${name} and id <> ${id}::uuid and state <= 'active' limit 1`.execute(
    tx,
  );
  return rows.length > 0;
}

/** Queues a failed job for one more attempt, as the queue itself does. */
export async function retryJob(tx: Database, { id, name }: JobRow, now: Date): Promise<void> {
  await sql`
    update ${jobTable} set state = 'retry', retry_limit = retry_limit + 1, completed_on = null,
      start_after = greatest(start_after, ${now}::timestamptz)
    where name = ${name} and id = ${id}::uuid`.execute(tx);
}

/** Cancels a job that waits or runs, as the queue itself does: it then ignores the outcome of a running attempt. */
export async function cancelJob(tx: Database, { id, name }: JobRow, now: Date): Promise<void> {
  await sql`
    update ${jobTable} set state = 'cancelled', completed_on = ${now} where name = ${name} and id = ${id}::uuid`.execute(
    tx,
  );
}

/** Records how many objects the running job of this name has looked at. It stays with the job, so that it goes with it. */
export async function recordExamined(tx: Database, name: string, examined: number): Promise<void> {
  if (!(await hasQueue(tx))) return;
  await sql`
    update ${jobTable} set data = coalesce(data, '{}') || jsonb_build_object('examined', ${examined}::bigint)
    where name = ${name} and state = 'active'`.execute(tx);
}

const symbols = 8;
/** The hexadecimal digits of a UUID of which a public id is made. */
const uuidDigits = 12;

/** The public id of a job: the minute of its creation, and the last 48 random bits of its UUID as symbols. */
export function jobIdOf({ id, created_on: createdOn }: Pick<JobRow, 'id' | 'created_on'>): Id<'job'> {
  const digits = createdOn.replace(/[-:]/g, '');
  let rest = Number.parseInt(id.slice(-uuidDigits), 16);
  let text = '';
  for (let count = 0; count < symbols; count += 1) {
    text = `${idAlphabet[rest % idAlphabet.length]}${text}`;
    rest = Math.floor(rest / idAlphabet.length);
  }
  return ids.job.of(`${digits.slice(0, 8)}-${digits.slice(9, 13)}-${text}`);
}

/** The ends of the UUIDs, in lower case, that have the symbols of a public id. */
function uuidEndings(jobId: Id<'job'>): string[] {
  const base = idAlphabet.length;
  let value = 0;
  for (const symbol of jobId.slice(-symbols)) value = value * base + idAlphabet.indexOf(symbol);
  const endings: string[] = [];
  for (let end = value; end < 16 ** uuidDigits; end += base ** symbols)
    endings.push(end.toString(16).padStart(uuidDigits, '0'));
  return endings;
}

/** The minute in a public id, as RFC 3339; the beginning of time for digits that are no time. */
function minuteOf(jobId: Id<'job'>): string {
  const [, year, month, day, hour, minute] = /(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)/u.exec(jobId) ?? [];
  const text = `${year}-${month}-${day}T${hour}:${minute}:00Z`;
  return Number.isNaN(Date.parse(text)) ? new Date(0).toISOString() : text;
}
