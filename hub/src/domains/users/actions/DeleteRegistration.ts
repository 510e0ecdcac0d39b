import { ids } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeAdministrator } from '../policy/actors.ts';

/** Deletes a registration that is not activated yet; its address may register again. */
export const DeleteRegistration: Handler<'users_DeleteRegistration'> = {
  authorize: ({ tx, actor }) => mustBeAdministrator(tx, actor),

  async run({ tx, input: { userId }, emit }) {
    const deleted = await tx
      .deleteFrom('user_registrations')
      .where('user_id', '=', ids.user.raw(userId))
      .returning('email')
      .executeTakeFirst();
    if (deleted === undefined) throw notFound('Registration');
    emit('users_RegistrationDeleted', { userId, email: deleted.email });
    return {};
  },
};
