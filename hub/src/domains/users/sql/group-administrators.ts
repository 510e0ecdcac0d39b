import type { Database } from '../../../platform/db/connect.ts';
import { lockAdministrators } from './accounts.ts';

/**
 * Makes a user, by its raw id, an administrator because a group at the provider asks for it, or takes away what a group gave; returns whether that changed anything. The last administrator
 * stays one, and so does whom a person made one.
 */
export async function followAdministratorGroup(
  tx: Database,
  userId: string,
  isWanted: boolean,
): Promise<boolean> {
  const user = await tx
    .selectFrom('users')
    .select(['is_admin', 'is_admin_from_groups'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (user === undefined || user.is_admin === isWanted) return false;
  if (!isWanted && !user.is_admin_from_groups) return false;
  const administrators = await lockAdministrators(tx);
  if (!isWanted && administrators.every((one) => one === userId)) return false;
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ is_admin: isWanted, is_admin_from_groups: isWanted })
    .where('user_id', '=', userId)
    .where('is_admin', '<>', isWanted)
    .where('is_admin_from_groups', '<>', isWanted)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
