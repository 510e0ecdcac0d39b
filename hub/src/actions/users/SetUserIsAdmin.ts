import { ActionError, ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { mustAdministerBySession } from '../../policy/accounts.ts';
import { notFound } from '../../policy/actors.ts';
import { lockAdministrators } from '../../store/accounts.ts';

/** Sets whether a user is an administrator; no event if nothing changes. */
export const SetUserIsAdmin: Handler<'users_SetUserIsAdmin'> = {
  authorize: ({ tx, actor }) => mustAdministerBySession(tx, actor),

  async run({ tx, input, emit }) {
    const userId = ids.user.raw(input.userId);
    const administrators = await lockAdministrators(tx);
    if (!input.isAdmin && administrators.length === 1 && administrators[0] === userId) {
      throw new ActionError('Invalid', 'The last administrator must stay one.');
    }
    const changed = await tx
      .updateTable('users')
      .set({ is_admin: input.isAdmin })
      .where('user_id', '=', userId)
      .returning('user_id')
      .executeTakeFirst();
    if (changed === undefined) throw notFound('User');
    if (administrators.includes(userId) !== input.isAdmin) emit('users_SetIsAdmin', input);
    return {};
  },
};
