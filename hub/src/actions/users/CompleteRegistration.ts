import { ids } from '@corral/contract';
import { readActivationToken } from '../../auth/activation-token.ts';
import type { Handler } from '../../executor/handler.ts';
import { mustBeVisitor } from '../../policy/registration.ts';
import { instanceKey } from '../../store/instance-keys.ts';
import { isInvitedAnywhere } from '../../store/invitations.ts';
import { consumeRegistration } from '../../store/registrations.ts';

/** Turns a registration into an account, once; an invalid and a used token fail in the same way. */
export const CompleteRegistration: Handler<'users_CompleteRegistration'> = {
  authorize: ({ actor }) => mustBeVisitor(actor),

  async run({ tx, input, now, emit, vault }) {
    const key = await instanceKey({ tx, now, vault }, 'activation');
    const rawId = await readActivationToken(key, input.activationToken, now);
    const registration = rawId === undefined ? undefined : await consumeRegistration(tx, rawId, now);
    if (registration === undefined) return { result: 'Failed' };
    const { user_id, email, display_name, password_hash, created_at } = registration;
    const account = await tx
      .insertInto('users')
      .values({
        user_id,
        email,
        display_name,
        password_hash,
        is_admin: false,
        created_at: now,
        consented_to_terms_at: created_at,
        consented_to_marketing_at: registration.consented_to_marketing ? created_at : null,
      })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returning('user_id')
      .executeTakeFirst();
    if (account === undefined) return { result: 'Failed' };
    const userId = ids.user.of(account.user_id);
    emit('users_Created', { userId, email });
    emit('users_RegistrationCompleted', { userId });
    const isInvited = await isInvitedAnywhere(tx, email, now);
    return { result: 'Completed', ...(isInvited ? { hasInvitations: true } : {}) };
  },
};
