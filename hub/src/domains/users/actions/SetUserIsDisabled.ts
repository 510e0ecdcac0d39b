import { ActionError, ids } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeAdministrator } from '../policy/actors.ts';
import { endSessions, lockAdministrators } from '../sql/accounts.ts';
import { withdrawLogins } from '../sql/login-requests.ts';
import { withdrawPasswordLink } from '../sql/password-links.ts';

/** Disables a user or enables it again; no event if nothing changes. Its tokens stay, and are rejected meanwhile. */
export const SetUserIsDisabled: Handler<'users_SetUserIsDisabled'> = {
  async authorize(context) {
    await mustBeAdministrator(context.tx, context.actor);
    // Whoever finds an open session could shut out all other administrators.
    mustBeSteppedUp(context);
  },

  async run({ tx, input, actor, now, emit }) {
    const { userId, isDisabled } = input;
    const rawId = ids.user.raw(userId);
    const administrators = await lockAdministrators(tx);
    if (isDisabled && 'userId' in actor && actor.userId === userId) {
      throw new ActionError(
        'Invalid',
        'You cannot disable your own account. Another administrator can do it.',
      );
    }
    if (isDisabled && administrators.length === 1 && administrators[0] === rawId) {
      throw new ActionError('Invalid', 'The last administrator cannot be disabled.');
    }
    // A concurrent sign-in holds the row of the user while it starts its session, which is then ended below.
    const user = await tx
      .selectFrom('users')
      .select('disabled_at')
      .where('user_id', '=', rawId)
      .where('is_service', '=', false)
      .forUpdate()
      .executeTakeFirst();
    if (user === undefined) throw notFound('User');
    if ((user.disabled_at !== null) === isDisabled) return {};
    await tx
      .updateTable('users')
      .set({ disabled_at: isDisabled ? now : null })
      .where('user_id', '=', rawId)
      .execute();
    emit('users_SetIsDisabled', { userId, isDisabled });
    if (!isDisabled) return {};
    await withdrawPasswordLink(tx, rawId);
    await withdrawLogins(tx, rawId);
    for (const sessionId of await endSessions(tx, rawId)) {
      emit('users_SessionTerminated', { userId, sessionId: ids.session.of(sessionId) });
    }
    return {};
  },
};
