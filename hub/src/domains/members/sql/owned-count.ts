import { ActionError } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { quotaSql } from '../../../platform/db/quota-sql.ts';

/** Requires that a user, by raw id, may own another project or repository, and locks the user until the transaction ends. Throws an `ActionError` of kind Invalid. */
export async function mustBeAbleToOwnMore(tx: Database, userId: string): Promise<void> {
  // A statement of its own: the next one sees what has been created while this one waited.
  await sql`select 1 from users where user_id = ${userId} for no key update`.execute(tx);
  const { rows } = await sql<{ owned: number; most: number }>`
    select (select count(*) from project_members where user_id = ${userId} and is_owner)
      + (select count(*) from repository_members where user_id = ${userId} and is_owner) as owned,
      ${quotaSql('ownedPerUser')} as most`.execute(tx);
  const { owned = 0, most = Infinity } = rows[0] ?? {};
  if (owned >= most)
    throw new ActionError(
      'Invalid',
      `One user may own at most ${most} projects and repositories. Delete some that are no longer used, or ask an administrator for a larger quota.`,
    );
}
