import { ActionError, ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustAdministerBySession } from '../policy/accounts.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import { lockAdministrators } from '../sql/accounts.ts';

/** Sets whether a user is an administrator, which groups take away no more; no event if nothing changes. */
export const SetUserIsAdmin: Handler<'users_SetUserIsAdmin'> = {
  async authorize(context) {
    await mustAdministerBySession(context.tx, context.actor);
    mustBeSteppedUp(context);
  },

  async run({ tx, input, emit }) {
    const userId = ids.user.raw(input.userId);
    const administrators = await lockAdministrators(tx);
    if (!input.isAdmin && administrators.length === 1 && administrators[0] === userId) {
      throw new ActionError('Invalid', 'The last administrator must stay one.');
    }
    const changed = await tx
      .updateTable('users')
      .set({ is_admin: input.isAdmin, is_admin_from_groups: false })
      .where('user_id', '=', userId)
      .where(sql<boolean>`(is_admin <> ${input.isAdmin} or is_admin_from_groups)`)
      .where('is_service', '=', false)
      .returning('user_id')
      .executeTakeFirst();
    if (changed !== undefined) emit('users_SetIsAdmin', input);
    else await mustExist(tx, userId);
    return {};
  },
};

async function mustExist(tx: Database, userId: string): Promise<void> {
  const user = await tx
    .selectFrom('users')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('is_service', '=', false)
    .executeTakeFirst();
  if (user === undefined) throw notFound('User');
}
