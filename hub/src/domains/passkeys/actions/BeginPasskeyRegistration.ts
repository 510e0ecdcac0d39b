import { ids } from '@corral/contract';
import { mustHaveSession, notFound } from '../../../auth/actors.ts';
import { algorithms } from '../../../auth/passkeys/verify.ts';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustHaveSite } from '../policy/site.ts';
import { issueChallenge, readPasskeys, userHandleOf } from '../sql/passkeys.ts';

/** Answers with what a browser needs to make a passkey; nothing is kept. */
export const BeginPasskeyRegistration: Handler<'users_BeginPasskeyRegistration', string> = {
  authorize(context) {
    const { userId } = mustHaveSession(context.actor);
    mustBeSteppedUp(context);
    return ids.user.raw(userId);
  },

  async run(context, userId) {
    const { tx } = context;
    const { rpId } = await mustHaveSite(context);
    const user = await tx
      .selectFrom('users')
      .select(['email', 'display_name'])
      .where('user_id', '=', userId)
      .executeTakeFirst();
    if (user === undefined) throw notFound('User');
    const passkeys = await readPasskeys(tx, userId);
    return {
      challenge: await issueChallenge(context, { purpose: 'registration', subject: userId }),
      rpId,
      rpName: `Corral at ${rpId}`,
      userHandle: userHandleOf(userId),
      email: user.email,
      displayName: user.display_name ?? user.email,
      algorithms,
      exclude: passkeys.map((passkey) => passkey.credential_id),
    };
  },
};
