import { type Actor, ids, type AuthenticationMethod, type Id } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { rehashPassword } from '../../../auth/password.ts';
import { newRawSecret } from '../../../auth/random.ts';
import { hashSecret, lookupKey } from '../../../auth/secret.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { liveSession } from './accounts.ts';
import { mayUsePassword } from './password-policy.ts';
import { addPendingSignIn } from './pending-sign-ins.ts';
import { proveFactorsOfSession } from './proved-factors.ts';
import { wantedStep } from './second-factors.ts';
import { amounts } from '../../../limits/amounts.ts';

const weekSecs = 7 * 24 * 3600;
const shortIdleSecs = 12 * 3600;
const longIdleSecs = 14 * 24 * 3600;
const userAgentCharacters = 1000;
/** A passkey is two factors by itself: its holder was verified, too. */
const provingMethods: ReadonlySet<AuthenticationMethod> = new Set(['totp', 'recoveryCode', 'passkey']);

/** An identity, and the session at the provider. */
export interface ProviderSession {
  readonly issuer: string;
  readonly subject: string;
  readonly providerSessionId: string | undefined;
}

/** When somebody proved at the provider who they are: a session that was open there is no proof. */
interface ProvedIdentity extends ProviderSession {
  readonly authenticatedAt?: Date | undefined;
}

/** Somebody who proved to be a user, and how. */
export interface Authentication {
  /** The raw id of the user. */
  readonly userId: string;
  /** How, in this order. */
  readonly methods: readonly AuthenticationMethod[];
  /** The hash that the password was checked against; no session starts if it has been replaced since. */
  readonly storedHash?: string;
  /** To be hashed anew, if the stored hash is outdated. */
  readonly outdatedPassword?: string | undefined;
  readonly userAgent: string;
  /** From where, as far as the hub knows. */
  readonly address: string | undefined;
  readonly validForSecs: number;
  /** As whom, if at the provider. */
  readonly identity?: ProvedIdentity | undefined;
  /** Whether the last method proves nothing: a factor that was set up without a proof of who somebody is. */
  readonly isLastUnproved?: boolean;
  readonly now: Date;
}

/** How a session was authenticated, for the audit log. */
interface SignIn {
  readonly methods: AuthenticationMethod[];
  readonly address?: string;
  readonly userAgent: string;
}

/** What follows an authentication: a session, or what its user has to do first. */
export type BegunSession =
  | ({ readonly result: 'Finished' } & StartedSession)
  | { readonly result: 'FactorWanted' | 'EnrolmentWanted'; readonly pendingToken: Id<'pendingSignIn'> };

/** A new session; only here its secret is known. */
interface StartedSession {
  readonly signIn: SignIn;
  readonly sessionId: Id<'session'>;
  readonly sessionToken: Id<'sessionToken'>;
  /** Sessions of the user that ended because of it. */
  readonly endedSessionIds: readonly Id<'session'>[];
}

/**
 * Decides what follows an authentication: every way that makes a session comes through here, and nothing else writes one. Undefined when the user was disabled, or may not use a
 * password, or the password was changed meanwhile.
 */
export async function beginSession(
  tx: Database,
  authentication: Authentication,
): Promise<BegunSession | undefined> {
  const { userId, methods, now } = authentication;
  if (methods.includes('password') && !(await mayUsePassword(tx, userId))) return undefined;
  const hasProvedFactor = methods.some((method) => provingMethods.has(method));
  const wants = hasProvedFactor ? undefined : await wantedStep(tx, userId, now);
  if (wants === undefined) {
    const started = await startSession(tx, authentication);
    return started && { result: 'Finished', ...started };
  }
  const storedHash = await renewHash(tx, authentication);
  const pendingToken = await addPendingSignIn(tx, wants, { ...authentication, storedHash });
  return pendingToken && { result: `${wants}Wanted`, pendingToken };
}

/** Tells of a new session, and of those that ended because of it: deeds of its user. */
export function emitSessionEvents(
  emit: (
    name: 'users_SessionInitiated' | 'users_SessionTerminated',
    data: { readonly userId: Id<'user'>; readonly sessionId: Id<'session'> } & Partial<SignIn>,
    actor: Actor,
  ) => unknown,
  userId: Id<'user'>,
  { sessionId, signIn, endedSessionIds }: StartedSession,
): void {
  const actor = { actor: 'User', kind: 'User', userId } as const;
  emit('users_SessionInitiated', { userId, sessionId, ...signIn }, actor);
  for (const ended of endedSessionIds) emit('users_SessionTerminated', { userId, sessionId: ended }, actor);
}

/** Starts a session, and ends those that are too many. */
async function startSession(
  tx: Database,
  authentication: Authentication,
): Promise<StartedSession | undefined> {
  const storedHash = await renewHash(tx, authentication);
  const secret = newRawSecret();
  const { userId, methods, address, identity, now, validForSecs } = authentication;
  const userAgent = authentication.userAgent.slice(0, userAgentCharacters);
  const idleSecs = validForSecs > weekSecs ? longIdleSecs : shortIdleSecs;
  const { numAffectedRows } = await sql`
    insert into user_sessions (session_id, secret_hash, user_id, user_agent, created_at, last_used_at, idle_timeout_secs, expires_at,
        methods, authenticated_at, stepped_up_at, address, issuer, subject, provider_session_id)
      select ${lookupKey(secret)}, ${hashSecret(secret)}, user_id, ${userAgent},
        ${now}, ${now}, ${idleSecs}::integer, ${new Date(now.getTime() + validForSecs * 1000)},
        ${methods}::text[], ${now}, ${provedAt(authentication) ?? null}, ${address ?? null},
        ${identity?.issuer ?? null}, ${identity?.subject ?? null}, ${identity?.providerSessionId ?? null}
      from users where user_id = ${userId} and (${storedHash ?? null}::text is null or password_hash = ${storedHash ?? null})
        and disabled_at is null for share`.execute(tx);
  if (numAffectedRows !== 1n) return undefined;
  return {
    sessionId: ids.session.of(lookupKey(secret)),
    sessionToken: ids.sessionToken.of(secret),
    signIn: { methods: [...methods], ...(address === undefined ? {} : { address }), userAgent },
    endedSessionIds: await endOldestSessions(tx, userId, lookupKey(secret), now),
  };
}

/** When who signs in proved who it is; undefined: not that the hub knew. */
export function provedAt({
  methods,
  isLastUnproved,
  identity,
  now,
}: Pick<Authentication, 'methods' | 'isLastUnproved' | 'identity' | 'now'>): Date | undefined {
  const proofs = isLastUnproved === true ? methods.slice(0, -1) : methods;
  if (proofs.some((method) => method !== 'provider')) return now;
  const at = identity?.authenticatedAt;
  return at !== undefined && at > now ? now : at;
}

/** SQL for whether a row of `user_sessions` is that of a token, by the raw part of the token. */
export function sessionOfToken(raw: string): RawBuilder<boolean> {
  const key = lookupKey(raw);
  return sql<boolean>`((session_id = ${key} and token_key is null) or token_key = ${key})`;
}

/** A proof of who somebody with a session is. */
interface SteppedUp {
  /** The raw id of the session. */
  readonly sessionId: string;
  readonly method: AuthenticationMethod;
  /** The hash that the password was checked against; the session stays as it is if it has been replaced since. */
  readonly storedHash?: string | undefined;
  readonly now: Date;
}

/** A session with a new token; only here it is known. */
interface RenewedSession {
  readonly sessionToken: Id<'sessionToken'>;
  /** How long the session lasts at most, and how long it did when it began. */
  readonly expiresInSecs: number;
  readonly validForSecs: number;
}

/** Notes that the user of a session has proved again who it is, which also proves the factor of the session, and gives it a new token: the one before no longer opens anything. Undefined when the session has ended. */
export async function stepUpSession(
  tx: Database,
  { sessionId, method, storedHash, now }: SteppedUp,
): Promise<RenewedSession | undefined> {
  const secret = newRawSecret();
  const { rows } = await sql<{ expires_in: number; valid_for: number }>`
    update user_sessions s set token_key = ${lookupKey(secret)}, secret_hash = ${hashSecret(secret)},
      stepped_up_at = ${now}, last_used_at = ${now},
      methods = case when ${method} = any(methods) then methods else methods || ${method}::text end
    from users u where s.session_id = ${sessionId} and u.user_id = s.user_id and u.disabled_at is null
      and (${storedHash ?? null}::text is null or u.password_hash = ${storedHash ?? null}) and ${liveSession(now)}
    returning extract(epoch from expires_at - ${now})::integer as expires_in,
      extract(epoch from expires_at - s.created_at)::integer as valid_for`.execute(tx);
  const [row] = rows;
  if (row === undefined) return undefined;
  await proveFactorsOfSession(tx, sessionId);
  const { expires_in: expiresInSecs, valid_for: validForSecs } = row;
  return { sessionToken: ids.sessionToken.of(secret), expiresInSecs, validForSecs };
}

/** Ends the live sessions that a user has too many beside a new one; concurrent sign-ins may leave a few more until the next one. */
async function endOldestSessions(
  tx: Database,
  userId: string,
  newSessionId: string,
  now: Date,
): Promise<Id<'session'>[]> {
  const { rows } = await sql<{ session_id: string }>`
    delete from user_sessions where session_id in (
      select session_id from user_sessions
      where user_id = ${userId} and session_id <> ${newSessionId} and ${liveSession(now)}
      order by last_used_at desc, created_at desc, session_id offset ${amounts.sessions.max - 1})
    returning session_id`.execute(tx);
  return rows.map((row) => ids.session.of(row.session_id));
}

/** Replaces an outdated hash, since the password is only known now. */
async function renewHash(
  tx: Database,
  { userId, storedHash, outdatedPassword }: Authentication,
): Promise<string | undefined> {
  if (outdatedPassword === undefined || storedHash === undefined) return storedHash;
  const newHash = await rehashPassword(outdatedPassword);
  const renewed = await tx
    .updateTable('users')
    .set({ password_hash: newHash })
    .where('user_id', '=', userId)
    .where('password_hash', '=', storedHash)
    .returning('user_id')
    .executeTakeFirst();
  return renewed === undefined ? storedHash : newHash;
}
