import { type AuthenticationMethod, type Id, ids } from '@corral/contract';
import { sql } from 'kysely';
import { newRawSecret } from '../../../auth/random.ts';
import { hashSecret, isSecret, lookupKey } from '../../../auth/secret.ts';
import { amounts } from '../../../limits/amounts.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { hasFactor, readSecondFactors } from './second-factors.ts';

const validMs = 10 * 60_000;
const userAgentCharacters = 1000;
const absentHash = hashSecret('');

/** A sign-in that waits for more than its password. */
export interface PendingSignIn {
  readonly pending_id: string;
  readonly user_id: string;
  readonly methods: AuthenticationMethod[];
  readonly wants: 'Factor' | 'Enrolment';
  readonly user_agent: string;
  readonly address: string | null;
  readonly valid_for_secs: number;
  readonly issuer: string | null;
  readonly subject: string | null;
  readonly provider_session_id: string | null;
  readonly provider_authenticated_at: string | null;
}

interface NewPendingSignIn {
  readonly userId: string;
  readonly methods: readonly AuthenticationMethod[];
  readonly storedHash?: string | undefined;
  readonly userAgent: string;
  readonly address: string | undefined;
  readonly validForSecs: number;
  readonly identity?:
    | {
        readonly issuer: string;
        readonly subject: string;
        readonly providerSessionId: string | undefined;
        readonly authenticatedAt?: Date | undefined;
      }
    | undefined;
  readonly now: Date;
}

/** Keeps a sign-in for ten minutes; only here its secret is known. Undefined when the user was disabled or the password was changed meanwhile. */
export async function addPendingSignIn(
  tx: Database,
  wants: PendingSignIn['wants'],
  { userId, methods, storedHash, userAgent, address, validForSecs, identity, now }: NewPendingSignIn,
): Promise<Id<'pendingSignIn'> | undefined> {
  const secret = newRawSecret();
  const { numAffectedRows } = await sql`
    insert into pending_sign_ins (pending_id, secret_hash, user_id, methods, wants, user_agent, address, valid_for_secs,
        issuer, subject, provider_session_id, provider_authenticated_at, created_at, expires_at)
      select ${lookupKey(secret)}, ${hashSecret(secret)}, user_id, ${methods}::text[], ${wants}, ${userAgent.slice(0, userAgentCharacters)},
        ${address ?? null}, ${validForSecs}::integer,
        ${identity?.issuer ?? null}, ${identity?.subject ?? null}, ${identity?.providerSessionId ?? null}, ${identity?.authenticatedAt ?? null}, ${now}, ${new Date(now.getTime() + validMs)}
      from users where user_id = ${userId} and (${storedHash ?? null}::text is null or password_hash = ${storedHash ?? null})
        and disabled_at is null for share`.execute(tx);
  if (numAffectedRows !== 1n) return undefined;
  await sql`delete from pending_sign_ins where pending_id in (
    select pending_id from pending_sign_ins where user_id = ${userId} order by created_at desc, pending_id offset ${amounts.pendingSignIns.max})`.execute(
    tx,
  );
  return ids.pendingSignIn.of(secret);
}

/** The sign-in with a secret, locked; undefined when there is none, it has expired, ten codes were tried, or its user has the first factor that it waits for already. */
export async function lockPendingSignIn(
  tx: Database,
  token: string,
  now: Date,
): Promise<PendingSignIn | undefined> {
  if (!ids.pendingSignIn.schema.safeParse(token).success) return undefined;
  const raw = ids.pendingSignIn.raw(token as never);
  const row = await tx
    .selectFrom('pending_sign_ins')
    .select([
      'pending_id',
      'secret_hash',
      'user_id',
      'methods',
      'wants',
      'user_agent',
      'address',
      'valid_for_secs',
      'issuer',
      'subject',
      'provider_session_id',
      'provider_authenticated_at',
    ])
    .where('pending_id', '=', lookupKey(raw))
    .where('expires_at', '>', now.toISOString())
    .where('tries', '<', amounts.wrongCodes.max)
    .forUpdate()
    .executeTakeFirst();
  if (!isSecret(raw, row?.secret_hash ?? absentHash) || row === undefined) return undefined;
  if (row.wants === 'Enrolment' && (await hasFactorNow(tx, row.user_id))) return undefined;
  return { ...row, methods: row.methods as AuthenticationMethod[] };
}

/** Whether a user has a factor, which nobody adds or removes until the transaction ends. */
async function hasFactorNow(tx: Database, userId: string): Promise<boolean> {
  const factors = await readSecondFactors(tx, userId, { isLocked: true });
  return factors === undefined || hasFactor(factors);
}

/** Counts a wrong code. */
export async function countTry(tx: Database, { pending_id: id }: PendingSignIn): Promise<void> {
  await sql`update pending_sign_ins set tries = tries + 1 where pending_id = ${id}`.execute(tx);
}

/** Ends a sign-in, which has become a session. */
export async function endPendingSignIn(tx: Database, { pending_id: id }: PendingSignIn): Promise<void> {
  await tx.deleteFrom('pending_sign_ins').where('pending_id', '=', id).execute();
}

/** Ends those that have expired. */
export async function deleteExpiredSignIns(tx: Database, now: Date): Promise<void> {
  await tx.deleteFrom('pending_sign_ins').where('expires_at', '<=', now.toISOString()).execute();
}
