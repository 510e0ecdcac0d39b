import { ids } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { readIdentities } from '../sql/user-identities.ts';
import { mustManageAccount } from '../../users/index.ts';

/** Returns the identities of a user. */
export const GetUserIdentities: Handler<'users_GetUserIdentities'> = {
  authorize: ({ tx, actor, input }) => mustManageAccount(tx, actor, input.userId),

  async run({ tx, input }) {
    const rows = await readIdentities(tx, ids.user.raw(input.userId));
    if (rows === undefined) throw notFound('User');
    const identities = rows.map(({ issuer, subject, ...row }) => ({
      issuer,
      subject,
      ...(row.email === null ? {} : { email: row.email }),
      ...(row.name === null ? {} : { name: row.name }),
      linkedAt: row.linked_at,
      ...(row.last_used_at === null ? {} : { lastUsedAt: row.last_used_at }),
    }));
    return { identities };
  },
};
