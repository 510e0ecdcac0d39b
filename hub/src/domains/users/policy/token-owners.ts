import { ids, type Actor, type Id } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { isManagedBy } from '../sql/service-accounts.ts';
import { mustManageAccount, sessionPrincipal } from './accounts.ts';

/** Requires a session of who manages the tokens of a user: the user itself or an administrator, of a service account the owners of its project or repository. */
export async function mustManageTokens(tx: Database, actor: Actor, userId: Id<'user'>): Promise<void> {
  const managed = isManagedBy(sessionPrincipal(actor), sql`${ids.user.raw(userId)}`);
  const { rows } = await sql`select 1 where ${managed}`.execute(tx);
  if (rows.length === 0) await mustManageAccount(tx, actor, userId);
}
