import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustAdministerBySession } from '../policy/accounts.ts';
import { forbidden } from '../../../auth/actors.ts';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import { mustGetPasswordLink } from '../policy/password-links.ts';
import { issuePasswordLink } from '../sql/password-links.ts';

/** Returns a link to set a password, for an administrator to pass on. It proves nothing about the address of the user. */
export const IssuePasswordLink: Handler<'users_IssuePasswordLink'> = {
  async authorize(context) {
    const { tx, actor, input } = context;
    await mustAdministerBySession(tx, actor);
    if ('userId' in actor && actor.userId === input.userId)
      throw forbidden('Change your own password under Settings, Security, or have a link mailed to you.');
    mustBeSteppedUp(context);
  },

  async run({ tx, input: { userId }, now, emit, vault, origins }) {
    const rawId = ids.user.raw(userId);
    await mustGetPasswordLink({ tx, now, vault }, rawId);
    const issued = await issuePasswordLink({ tx, now, vault }, origins.console, rawId);
    emit('users_PasswordLinkIssued', { userId });
    return issued;
  },
};
