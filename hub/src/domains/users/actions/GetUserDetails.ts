import { ids } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeSelfOrAdministrator } from '../policy/actors.ts';

/** Returns a user. */
export const GetUserDetails: Handler<'users_GetUserDetails'> = {
  authorize: ({ tx, actor, input }) => mustBeSelfOrAdministrator(tx, actor, input.userId),

  async run({ tx, input }) {
    const row = await tx
      .selectFrom('users')
      .select(['email', 'display_name', 'is_admin', 'disabled_at', 'only_invitation_id'])
      .where('user_id', '=', ids.user.raw(input.userId))
      .executeTakeFirst();
    if (row === undefined) throw notFound('User');
    return {
      userId: input.userId,
      email: row.email,
      ...(row.display_name === null ? {} : { displayName: row.display_name }),
      isAdmin: row.is_admin,
      ...(row.disabled_at === null ? {} : { isDisabled: true }),
      ...(row.only_invitation_id === null ? {} : { isEmailUnconfirmed: true }),
    };
  },
};
