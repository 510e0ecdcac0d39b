import { ActionError } from '@corral/contract';
import { sql } from 'kysely';
import type { RequestLimit } from '../../../auth/request-limits.ts';
import { waitInWords } from '../../../auth/wait-in-words.ts';
import type { Database } from '../../../platform/db/connect.ts';

interface Count {
  subject: string;
  requests: number;
  window_ends_at: string;
}

/** A sentence for users, to which is added when they can go on; or a function that says it. */
type ThrottledMessage = string | ((retryAfterSecs: number) => string);

/** Throws an `ActionError` of kind Throttled while one of the limits is reached. Counts nothing and takes no locks. */
export async function mustBeWithinLimits(
  tx: Database,
  limits: readonly RequestLimit[],
  now: Date,
  sentence?: ThrottledMessage,
): Promise<void> {
  const counts = await tx
    .selectFrom('request_counts')
    .select(['subject', 'requests', 'window_ends_at'])
    .where(sql<boolean>`subject = any(${limits.map(({ subject }) => subject)})`)
    .execute();
  throwIfThrottled(waitMs(limits, counts, 1, now), sentence);
}

/** Counts a request; throws Throttled when it exceeds a limit. Counting first gives parallel requests no advantage over sequential ones. */
export async function countRequest(
  tx: Database,
  limits: readonly RequestLimit[],
  now: Date,
  sentence?: ThrottledMessage,
): Promise<void> {
  throwIfThrottled(waitMs(limits, await count(tx, limits, now), 0, now), sentence);
}

/** Counts a request, or so many at once, and returns whether they are within their limits. */
export async function countWithinLimits(
  tx: Database,
  limits: readonly RequestLimit[],
  now: Date,
  requests = 1,
): Promise<boolean> {
  return waitMs(limits, await count(tx, limits, now, requests), 0, now) <= 0;
}

/** Deletes the counts whose window has ended. */
export async function deleteExpiredRequestCounts(tx: Database, now: Date): Promise<void> {
  await tx.deleteFrom('request_counts').where('window_ends_at', '<=', now.toISOString()).execute();
}

async function count(
  tx: Database,
  limits: readonly RequestLimit[],
  now: Date,
  requests = 1,
): Promise<Count[]> {
  const { rows } = await sql<Count>`
    insert into request_counts as c (subject, requests, window_ends_at)
      select subject, ${requests}::integer, ${now}::timestamptz + "windowSecs" * interval '1 second'
        from jsonb_to_recordset(${JSON.stringify(limits)}::jsonb) as l(subject text, "windowSecs" integer) order by subject
    on conflict (subject) do update set
      requests = case when c.window_ends_at <= ${now} then excluded.requests else c.requests + excluded.requests end,
      window_ends_at = case when c.window_ends_at <= ${now} then excluded.window_ends_at else c.window_ends_at end
    returning subject, requests, window_ends_at`.execute(tx);
  return rows;
}

/** How long until that many further requests are within the limits, in milliseconds; 0 if they are now. */
function waitMs(
  limits: readonly RequestLimit[],
  counts: readonly Count[],
  further: number,
  now: Date,
): number {
  const waits = counts
    .filter(({ subject, requests }) =>
      limits.some((limit) => limit.subject === subject && requests + further > limit.max),
    )
    .map(({ window_ends_at }) => Date.parse(window_ends_at) - now.getTime());
  return Math.max(0, ...waits);
}

function throwIfThrottled(throttledForMs: number, sentence: ThrottledMessage = 'Too many requests.'): void {
  if (throttledForMs <= 0) return;
  const retryAfterSecs = Math.ceil(throttledForMs / 1000);
  const text =
    typeof sentence === 'string'
      ? `${sentence} Try again in ${waitInWords(retryAfterSecs)}.`
      : sentence(retryAfterSecs);
  throw new ActionError('Throttled', text, { retryAfterSecs });
}
