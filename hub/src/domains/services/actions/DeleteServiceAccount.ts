import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { notFound } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { isManagedBy, sessionPrincipal, type SessionPrincipal } from '../../users/index.ts';
import { deleteServiceAccount, isOfNoPublisher } from '../sql/service-accounts.ts';

/** Deletes a service account with its membership and its tokens. */
export const DeleteServiceAccount: Handler<'users_DeleteServiceAccount', SessionPrincipal> = {
  authorize: ({ actor }) => sessionPrincipal(actor),

  async run({ tx, input, emit }, principal) {
    const account = sql`users.user_id`;
    const isAllowed = sql<boolean>`${isManagedBy(principal, account)} and ${isOfNoPublisher(account)}`;
    const deleted = await deleteServiceAccount(tx, ids.user.raw(input.userId), isAllowed);
    if (deleted === undefined) throw notFound('Service account');
    emit('users_ServiceAccountDeleted', deleted);
    return {};
  },
};
