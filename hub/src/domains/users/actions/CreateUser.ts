import { ids } from '@corral/contract';
import { mustBeEmail } from '../../../auth/email.ts';
import { mustBeName } from '../../../auth/names.ts';
import { hashPassword } from '../../../auth/password.ts';
import { mustBeGoodPassword } from '../../../auth/password-rules.ts';
import { newRawId } from '../../../auth/random.ts';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustAdministerBySession } from '../policy/accounts.ts';
import { mustBeAdministrator } from '../policy/actors.ts';
import { mustGivePasswords } from '../sql/password-policy.ts';
import { sendPasswordLink } from '../sql/password-links.ts';

interface NewUser {
  readonly email: string;
  readonly display_name: string | null;
  readonly password_hash: string | null;
}

/** Creates a user; a blank display name counts as none. */
export const CreateUser: Handler<'users_CreateUser', NewUser, NewUser> = {
  async prepare({ tx, actor, input }) {
    await mustBeAdministrator(tx, actor);
    if (input.password !== undefined || input.sendPasswordLink === true)
      await mustGivePasswords(tx, input.isAdmin);
    // A token sets no passwords and makes no administrators.
    if (input.password !== undefined || input.isAdmin === true) await mustAdministerBySession(tx, actor);
    const email = mustBeEmail(input.email);
    const isNamed = (input.displayName ?? '').trim() !== '';
    const displayName = isNamed ? mustBeName(input.displayName ?? '', 'displayName') : null;
    if (input.password !== undefined) mustBeGoodPassword(input.password, email);
    const passwordHash = input.password === undefined ? null : await hashPassword(input.password);
    return { email, display_name: displayName, password_hash: passwordHash };
  },

  async authorize(context, user) {
    await mustBeAdministrator(context.tx, context.actor);
    if (context.input.isAdmin === true) mustBeSteppedUp(context);
    return user;
  },

  async run({ tx, input, now, emit }, user) {
    const created = await tx
      .insertInto('users')
      .values({ ...user, user_id: newRawId(), is_admin: input.isAdmin ?? false, created_at: now })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returning('user_id')
      .executeTakeFirst();
    if (created === undefined) return { result: 'EmailAlreadyExists' };
    const userId = ids.user.of(created.user_id);
    emit('users_Created', { userId, email: user.email });
    if (input.isAdmin === true) emit('users_SetIsAdmin', { userId, isAdmin: true });
    if (input.sendPasswordLink === true) {
      await sendPasswordLink(tx, created.user_id, now);
      emit('users_PasswordLinkSent', { userId });
      emit('mail_Queued', {});
    }
    return { result: 'Created', userId };
  },
};
