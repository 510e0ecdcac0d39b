import { ids } from '@corral/contract';
import { linkValidForSecs, signLinkToken } from '../../../auth/link-token.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustAdministerBySession } from '../policy/accounts.ts';
import { notFound } from '../../../auth/actors.ts';
import { instanceKey } from '../../instance/index.ts';
import { keepRegistrationUntil } from '../sql/registrations.ts';

/** Returns the activation link of a registration, for an administrator to pass on to whom the address belongs. */
export const IssueRegistrationLink: Handler<'users_IssueRegistrationLink'> = {
  authorize: ({ tx, actor }) => mustAdministerBySession(tx, actor),

  async run({ tx, input: { userId }, now, emit, vault, origins }) {
    const registrationId = ids.user.raw(userId);
    const expiresAt = new Date(now.getTime() + linkValidForSecs.activation * 1000);
    if (!(await keepRegistrationUntil(tx, { registrationId, now, expiresAt })))
      throw notFound('Registration');
    const key = await instanceKey({ tx, now, vault }, 'activation');
    const token = await signLinkToken(key, 'activation', { id: registrationId, issuedAt: now, expiresAt });
    emit('users_RegistrationLinkIssued', { userId });
    return { url: `${origins.console}/signup/verify?jwt=${token}`, expiresAt: expiresAt.toISOString() };
  },
};
