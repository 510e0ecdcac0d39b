import { ids } from '@corral/contract';
import { hashPassword } from '../../../auth/password.ts';
import { readLinkToken } from '../../../auth/link-token.ts';
import { mustBeGoodPassword } from '../../../auth/password-rules.ts';
import { visitorCounts } from '../../../auth/request-limits.ts';
import { mustBeVisitor } from '../../../auth/actors.ts';
import type { Handler, HandlerContext } from '../../../calls/handler.ts';
import { removeAllIdentities } from '../../identities/index.ts';
import { instanceKey } from '../../instance/index.ts';
import { replacePassword } from '../sql/accounts.ts';
import { confirmEmail } from '../sql/confirmed-emails.ts';
import { queueMail } from '../sql/mail-queue.ts';
import { mustUsePassword } from '../sql/password-policy.ts';
import { redeemPasswordLink, userOfPasswordLink } from '../sql/password-links.ts';
import { countRequest } from '../sql/request-limits.ts';
import { removeSecondFactors } from '../sql/second-factors.ts';
import { forgetSignIns } from '../sql/sign-in-failures.ts';

interface CheckedLink {
  readonly linkId: string;
  /** The raw id. */
  readonly userId: string;
  readonly email: string;
  readonly passwordHash: string;
}

/** Sets a password by a link, once, and confirms the address that it was mailed to, which ends all other ways to sign in where nothing had confirmed it; invalid, used and expired links fail in the same way, before the password is looked at. */
export const SetPasswordByLink: Handler<
  'users_SetPasswordByLink',
  CheckedLink | undefined,
  CheckedLink | undefined
> = {
  async prepare({ tx, actor, input, origin, now, vault }) {
    mustBeVisitor(actor);
    const limitsKey = await instanceKey({ tx, now, vault }, 'request-limits');
    const linkKey = await instanceKey({ tx, now, vault }, 'password-link');
    const linkId = await readLinkToken(linkKey, 'password', input.token, now);
    const user = linkId === undefined ? undefined : await userOfPasswordLink(tx, linkId, now);
    if (linkId === undefined || user === undefined) return undefined;
    await mustUsePassword(tx, user.user_id);
    mustBeGoodPassword(input.password, user.email);
    // Only who has a link makes the hub hash a password.
    await countRequest(tx, visitorCounts(limitsKey, 'password-link', origin.ip), now);
    const passwordHash = await hashPassword(input.password);
    return { linkId, userId: user.user_id, email: user.email, passwordHash };
  },

  authorize({ actor }, checked) {
    mustBeVisitor(actor);
    return checked;
  },

  async run({ tx, now, emit, vault }, checked) {
    const link = checked && (await redeemPasswordLink(tx, checked.linkId, now));
    if (checked === undefined || link === undefined) return { result: 'Failed' };
    const { userId, passwordHash } = checked;
    const ended = await replacePassword(tx, { userId, passwordHash, now });
    if (ended === undefined) return { result: 'Failed' };
    await forgetSignIns({ tx, now, vault }, checked.email);
    const publicId = ids.user.of(userId);
    emit('users_SetPassword', { userId: publicId });
    for (const sessionId of ended) {
      emit('users_SessionTerminated', { userId: publicId, sessionId: ids.session.of(sessionId) });
    }
    if (link.is_mailed && (await confirmEmail(tx, userId))) {
      await endOtherWays({ tx, now, emit }, userId);
      emit('users_EmailConfirmed', { userId: publicId });
    }
    emit('mail_Queued', {});
    return { result: 'Completed' };
  },
};

/** Takes from an account whose address is confirmed only now what opened it before: whoever made it may have been somebody else. */
async function endOtherWays(
  { tx, now, emit }: Pick<HandlerContext<'users_SetPasswordByLink'>, 'tx' | 'now' | 'emit'>,
  userId: string,
): Promise<void> {
  const publicId = ids.user.of(userId);
  await tx.deleteFrom('user_tokens').where('user_id', '=', userId).execute();
  if (await removeSecondFactors(tx, userId)) {
    await queueMail(tx, { kind: 'FactorRemoved', userId, now });
    emit('users_SecondFactorRemoved', { userId: publicId });
  }
  if (await removeAllIdentities(tx, userId)) {
    await queueMail(tx, { kind: 'IdentityUnlinked', userId, now });
    emit('users_IdentityUnlinked', { userId: publicId });
  }
}
