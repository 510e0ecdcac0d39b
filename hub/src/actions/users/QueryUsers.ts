import { ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { mustBeAdministrator } from '../../policy/actors.ts';

/** Lists every user for an administrator. */
export const QueryUsers: Handler<'users_QueryUsers'> = {
  authorize: ({ tx, actor }) => mustBeAdministrator(tx, actor),

  async run({ tx }) {
    const rows = await tx
      .selectFrom('users')
      .select(['user_id', 'email', 'display_name', 'is_admin'])
      .orderBy('email')
      .execute();
    const users = rows.map((row) => ({
      userId: ids.user.of(row.user_id),
      email: row.email,
      ...(row.display_name === null ? {} : { displayName: row.display_name }),
      isAdmin: row.is_admin,
    }));
    return { users };
  },
};
