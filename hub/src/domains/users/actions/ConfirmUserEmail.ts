import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeAdministrator, mustBeSelfOrAdministrator } from '../policy/actors.ts';
import { confirmEmail } from '../sql/confirmed-emails.ts';

/** Confirms the address of a user on the word of an administrator; a confirmed one stays so. */
export const ConfirmUserEmail: Handler<'users_ConfirmUserEmail'> = {
  async authorize({ tx, actor, input }) {
    await mustBeAdministrator(tx, actor);
    await mustBeSelfOrAdministrator(tx, actor, input.userId);
  },

  async run({ tx, input: { userId }, emit }) {
    if (!(await confirmEmail(tx, ids.user.raw(userId)))) return {};
    emit('users_EmailConfirmed', { userId });
    // Other invitations to the address reach the user now.
    emit('users_InvitationsChanged', { userId });
    return {};
  },
};
