import { ActionError } from '@corral/contract';
import { sql } from 'kysely';
import {
  accountSubjects,
  admitsKnownNetworks,
  blockSecs,
  signInAttempt,
  type SignInAttempt,
} from '../../../auth/sign-in-limits.ts';
import { waitInWords } from '../../../auth/wait-in-words.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { instanceKey, type KeyContext } from '../../instance/index.ts';

/** A counter without a failure for a day is reset. */
const forgetAfterMs = 24 * 3_600_000;
/** How long a network stays known for an account after a sign-in. */
const knownMs = 90 * 24 * 3_600_000;

interface Row {
  subject: string;
  failures: number;
  blocked_until: string;
}

/** Starts a sign-in; throws an `ActionError` of kind Throttled while one of its counters blocks. Takes no locks. */
export async function beginSignIn(
  keyContext: KeyContext,
  email: string,
  ip: string | undefined,
): Promise<SignInAttempt> {
  const { tx, now } = keyContext;
  const attempt = signInAttempt(await instanceKey(keyContext, 'sign-in-failures'), email, ip, now);
  const rows = await tx
    .selectFrom('sign_in_failures')
    .select(['subject', 'failures', 'blocked_until'])
    .where(sql<boolean>`subject = any(${[...subjectsOf(attempt), attempt.knownSubject]})`)
    .execute();
  mustNotBeBlocked(attempt, rows, now);
  return attempt;
}

/**
 * Counts a failed sign-in. Throws Throttled instead when concurrent failures have blocked a counter meanwhile, so that parallel guesses
 * gain nothing over sequential ones.
 */
export async function countFailure(tx: Database, attempt: SignInAttempt, now: Date): Promise<void> {
  const forgotten = new Date(now.getTime() - forgetAfterMs);
  const { rows } = await sql<Row>`
    insert into sign_in_failures as f (subject, failures, blocked_until, last_failed_at)
      select subject, 1, ${now}, ${now} from unnest(${subjectsOf(attempt)}::text[]) as subject order by subject
    on conflict (subject) do update set last_failed_at = excluded.last_failed_at,
      failures = case when f.last_failed_at < ${forgotten} then 1 else f.failures + 1 end
    returning subject, failures, blocked_until`.execute(tx);
  mustNotBeBlocked(attempt, [...rows, ...(await knownRows(tx, attempt))], now);
  for (const { scope, subject } of attempt.counters) {
    const secs = blockSecs(scope, rows.find((row) => row.subject === subject)?.failures ?? 0, now);
    if (secs === 0) continue;
    const until = new Date(now.getTime() + secs * 1000);
    await tx
      .updateTable('sign_in_failures')
      .set({ blocked_until: until })
      .where('subject', '=', subject)
      .execute();
  }
}

/** Deletes the failures of an account after a sign-in and records its network as known; throws Throttled like `countFailure`. */
export async function countSuccess(tx: Database, attempt: SignInAttempt, now: Date): Promise<void> {
  const rows = await tx
    .selectFrom('sign_in_failures')
    .select(['subject', 'failures', 'blocked_until'])
    .where(sql<boolean>`subject = any(${subjectsOf(attempt)})`)
    .orderBy('subject')
    .forUpdate()
    .execute();
  mustNotBeBlocked(attempt, [...rows, ...(await knownRows(tx, attempt))], now);
  const over = attempt.counters.filter(({ scope }) => scope === 'pair' || scope === 'account');
  await tx
    .deleteFrom('sign_in_failures')
    .where(sql<boolean>`subject = any(${over.map(({ subject }) => subject)})`)
    .execute();
  await tx
    .insertInto('sign_in_failures')
    .values({ subject: attempt.knownSubject, failures: 0, blocked_until: now, last_failed_at: now })
    .onConflict((conflict) => conflict.column('subject').doUpdateSet({ last_failed_at: now }))
    .execute();
}

/** Forgets how often an account (by canonical e-mail address) was signed in to, from all networks, such as when it has a new password. */
export async function forgetSignIns(keyContext: KeyContext, email: string): Promise<void> {
  const key = await instanceKey(keyContext, 'sign-in-failures');
  const { failures, successes } = accountSubjects(key, email);
  await sql`delete from sign_in_failures where subject = ${failures} or starts_with(subject, ${`${failures}/`})`.execute(
    keyContext.tx,
  );
  await sql`delete from request_counts where subject = ${successes} or starts_with(subject, ${`${successes}/`})`.execute(
    keyContext.tx,
  );
}

/** Deletes counters without a failure for a day, and known networks after 90 days. */
export async function deleteStaleSignInFailures(tx: Database, now: Date): Promise<void> {
  const [counted, known] = [forgetAfterMs, knownMs].map((ms) => new Date(now.getTime() - ms));
  await sql`delete from sign_in_failures
    where last_failed_at < ${counted} and (failures > 0 or last_failed_at < ${known})`.execute(tx);
}

function subjectsOf(attempt: SignInAttempt): string[] {
  return attempt.counters.map(({ subject }) => subject);
}

function knownRows(tx: Database, attempt: SignInAttempt): Promise<Row[]> {
  return tx
    .selectFrom('sign_in_failures')
    .select(['subject', 'failures', 'blocked_until'])
    .where('subject', '=', attempt.knownSubject)
    .execute();
}

function mustNotBeBlocked(attempt: SignInAttempt, rows: readonly Row[], now: Date): void {
  const isKnown = rows.some(({ subject }) => subject === attempt.knownSubject);
  const waitsMs = attempt.counters
    .filter(({ scope }) => !(isKnown && admitsKnownNetworks(scope)))
    .map(({ subject }) => rows.find((row) => row.subject === subject))
    .map((row) => (row === undefined ? 0 : Date.parse(row.blocked_until) - now.getTime()));
  const waitMs = Math.max(...waitsMs);
  if (waitMs <= 0) return;
  const retryAfterSecs = Math.ceil(waitMs / 1000);
  throw new ActionError(
    'Throttled',
    `Too many failed sign-ins. Try again in ${waitInWords(retryAfterSecs)}.`,
    {
      retryAfterSecs,
    },
  );
}
