import { ids } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import { mustBeName } from '../../../auth/names.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeSelfOrAdministrator } from '../policy/actors.ts';

/** Sets the display name of a user, trimmed. */
export const SetUserDisplayName: Handler<'users_SetUserDisplayName'> = {
  authorize: ({ tx, actor, input }) => mustBeSelfOrAdministrator(tx, actor, input.userId),

  async run({ tx, input, emit }) {
    const displayName = mustBeName(input.displayName, 'displayName');
    const changed = await tx
      .updateTable('users')
      .set({ display_name: displayName })
      .where('user_id', '=', ids.user.raw(input.userId))
      .where('is_service', '=', false)
      .returning('user_id')
      .executeTakeFirst();
    if (changed === undefined) throw notFound('User');
    emit('users_DisplayNameChanged', { userId: input.userId, displayName });
    return {};
  },
};
