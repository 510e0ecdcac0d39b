import { readLinkToken } from '../../../auth/link-token.ts';
import { hashPassword } from '../../../auth/password.ts';
import { mustBeGoodPassword } from '../../../auth/password-rules.ts';
import { visitorCounts } from '../../../auth/request-limits.ts';
import { mustBeVisitor } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { instanceKey } from '../../instance/index.ts';
import { isInvitedAnywhere } from '../../members/index.ts';
import { addAccount, consumeRegistration, findRegistration } from '../sql/registrations.ts';
import { mustGivePasswords } from '../sql/password-policy.ts';
import { countRequest } from '../sql/request-limits.ts';

interface CheckedLink {
  /** The raw id that the account will have. */
  readonly userId: string;
  /** Of the password that whoever opened the link has chosen. */
  readonly passwordHash: string | undefined;
}

/**
 * Turns a registration into an account, once; an invalid and a used token fail in the same way. Anyone can register any address, so the password that comes with the link replaces that
 * of the registration; the console asks for one unless its browser made the registration.
 */
export const CompleteRegistration: Handler<
  'users_CompleteRegistration',
  CheckedLink | undefined,
  CheckedLink | undefined
> = {
  async prepare({ tx, actor, input: { activationToken, password }, origin, now, vault }) {
    mustBeVisitor(actor);
    const key = await instanceKey({ tx, now, vault }, 'activation');
    const userId = await readLinkToken(key, 'activation', activationToken, now);
    const registration = userId === undefined ? undefined : await findRegistration(tx, userId, now);
    if (userId === undefined || registration === undefined) return undefined;
    await mustGivePasswords(tx);
    if (password === undefined) return { userId, passwordHash: undefined };
    mustBeGoodPassword(password, registration.email);
    // Only who has a link makes the hub hash a password.
    const limitsKey = await instanceKey({ tx, now, vault }, 'request-limits');
    await countRequest(tx, visitorCounts(limitsKey, 'password-link', origin.ip), now);
    return { userId, passwordHash: await hashPassword(password) };
  },

  authorize({ actor }, checked) {
    mustBeVisitor(actor);
    return checked;
  },

  async run({ tx, now, emit }, checked) {
    const registration = checked && (await consumeRegistration(tx, checked.userId, now));
    if (registration === undefined) return { result: 'Failed' };
    const { email } = registration;
    const account = {
      userId: registration.user_id,
      email,
      displayName: registration.display_name,
      passwordHash: checked?.passwordHash ?? registration.password_hash,
      consentedToMarketing: registration.consented_to_marketing,
      now,
    };
    const userId = await addAccount(tx, account, { consentedAt: registration.created_at });
    if (userId === undefined) return { result: 'Failed' };
    emit('users_Created', { userId, email });
    emit('users_RegistrationCompleted', { userId });
    const isInvited = await isInvitedAnywhere(tx, email, now);
    return { result: 'Completed', ...(isInvited ? { hasInvitations: true } : {}) };
  },
};
