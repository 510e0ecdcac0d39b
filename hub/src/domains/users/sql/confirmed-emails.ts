import type { Database } from '../../../platform/db/connect.ts';

/** Notes that the address of a user belongs to the user; false if that was known. Takes a raw id. */
export async function confirmEmail(tx: Database, userId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ only_invitation_id: null })
    .where('user_id', '=', userId)
    .where('only_invitation_id', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
