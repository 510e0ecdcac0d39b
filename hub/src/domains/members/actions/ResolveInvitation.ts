import { mustBeVisitor } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { inviterOf } from '../sql/invitation-lists.ts';
import { invitationOfLink } from '../sql/invitation-links.ts';

/** Returns what the link of an invitation is about. Who holds the link may know that, and not whether the address has an account. */
export const ResolveInvitation: Handler<'users_ResolveInvitation'> = {
  authorize: ({ actor }) => mustBeVisitor(actor),

  async run({ tx, input, now, vault }) {
    const found = await invitationOfLink({ tx, now, vault }, input.invitationToken);
    if (found === undefined) return { result: 'NotFound' };
    const { kind, name, email, expiresAt, inviterEmail, inviterName } = found;
    const inviter = inviterOf(inviterEmail, inviterName);
    return {
      result: 'Found',
      kind,
      name,
      email,
      ...(inviter === undefined ? {} : { invitedBy: inviter }),
      expiresAt,
    };
  },
};
