import { sql, type RawBuilder } from 'kysely';
import type { AuthenticationMethod } from '@corral/contract';
import type { Database } from '../../../platform/db/connect.ts';

/** SQL for whether a user, by an expression of its raw id, has a second factor that confirms who it is: not one that was only set up in an open session of the provider. */
export function hasProvedFactorSql(userId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(exists (select from totp_factors f where f.user_id = ${userId} and f.is_proved)
    or exists (select from passkeys p where p.user_id = ${userId}))`;
}

/** Whether a factor of a user, by its raw id, with which it has just signed in or confirmed, proves who it is. */
export async function isProof(tx: Database, userId: string, method: AuthenticationMethod): Promise<boolean> {
  if (method !== 'totp' && method !== 'recoveryCode') return true;
  const table = method === 'totp' ? 'totp_factors' : 'recovery_codes';
  const unproved = await tx
    .selectFrom(table)
    .select('user_id')
    .where('user_id', '=', userId)
    .where('is_proved', '=', false)
    .executeTakeFirst();
  return unproved === undefined;
}

/** Lets the authenticator of a user, by its raw id, and the recovery codes that came with it confirm from now on. */
export async function proveFactors(tx: Database, userId: string): Promise<void> {
  await sql`
    with proved as (
      update totp_factors set is_proved = true where user_id = ${userId} and not is_proved returning user_id)
    update recovery_codes c set is_proved = true from proved where c.user_id = proved.user_id`.execute(tx);
}

/** Lets them confirm whose codes a session has seen, by its raw id: whoever typed one there has now proved who it is. In other sessions somebody else may have set them up. */
export async function proveFactorsOfSession(tx: Database, sessionId: string): Promise<void> {
  const used = await tx
    .selectFrom('user_sessions as s')
    .innerJoin('totp_factors as f', 'f.user_id', 's.user_id')
    .select('s.user_id')
    .where('s.session_id', '=', sessionId)
    .where('f.is_proved', '=', false)
    .where(sql<boolean>`'totp' = any(s.methods) and s.created_at >= f.created_at`)
    .executeTakeFirst();
  if (used !== undefined) await proveFactors(tx, used.user_id);
}
