import { sql } from 'kysely';
import type { ProviderLogout } from '../../../auth/oidc/provider.ts';
import type { Database } from '../../../platform/db/connect.ts';

/** Uses a logout token up; false if it was used before. Those that have expired are forgotten. */
export async function useLogoutToken(
  tx: Database,
  { issuer, tokenId }: ProviderLogout,
  expiresAt: Date,
  now: Date,
): Promise<boolean> {
  await tx.deleteFrom('used_logout_tokens').where('expires_at', '<=', now.toISOString()).execute();
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('used_logout_tokens')
    .values({ issuer, token_id: tokenId, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Ends what an identity that is no longer linked to a user opened, beside the session in which that was done. */
export async function endSessionsOfIdentity(
  tx: Database,
  userId: string,
  { issuer, subject }: Pick<ProviderLogout, 'issuer' | 'subject'>,
  exceptSessionId: string | undefined,
): Promise<string[]> {
  const which = sql`user_id = ${userId} and issuer = ${issuer} and subject = ${subject}`;
  await sql`delete from pending_sign_ins where ${which}`.execute(tx);
  const { rows } = await sql<{ session_id: string }>`
    delete from user_sessions where ${which} and session_id <> ${exceptSessionId ?? ''}
    returning session_id`.execute(tx);
  return rows.map(({ session_id: sessionId }) => sessionId);
}

/** Ends the sessions, and the sign-ins that wait, of a session at the provider, or of all of a subject there; those of the subject whose session there is not known end with any. */
export async function endProviderSessions(
  tx: Database,
  { issuer, subject, providerSessionId }: ProviderLogout,
): Promise<{ user_id: string; session_id: string }[]> {
  const which = sql`issuer = ${issuer}
    and (${subject ?? null}::text is null or subject = ${subject ?? null})
    and (${providerSessionId ?? null}::text is null or provider_session_id = ${providerSessionId ?? null}
      or (provider_session_id is null and subject = ${subject ?? null}))`;
  await sql`delete from pending_sign_ins where ${which}`.execute(tx);
  const { rows } = await sql<{ user_id: string; session_id: string }>`
    delete from user_sessions where ${which} returning user_id, session_id`.execute(tx);
  return rows;
}
