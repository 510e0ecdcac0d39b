import { ids } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustSignInWithoutPasskeys } from '../../identities/index.ts';
import { readPasskeys } from '../../passkeys/index.ts';
import { mustManageAccount } from '../policy/accounts.ts';
import { mustKeepFactor } from '../policy/second-factors.ts';
import { queueMail } from '../sql/mail-queue.ts';
import { readSecondFactors, removeSecondFactors } from '../sql/second-factors.ts';

/** Removes all second factors of a user, or the authenticator, and tells the user by e-mail. Nobody removes an own one that the instance asks for. */
export const RemoveSecondFactors: Handler<'users_RemoveSecondFactors'> = {
  async authorize(context) {
    await mustManageAccount(context.tx, context.actor, context.input.userId);
    mustBeSteppedUp(context);
  },

  async run(context) {
    const { tx, actor, input, origins, now, emit } = context;
    const { userId: id, kind } = input;
    const userId = ids.user.raw(id);
    const factors = await readSecondFactors(tx, userId, { isLocked: true });
    if (factors === undefined) throw notFound('User');
    if ('userId' in actor && actor.userId === id) {
      const working = (await readPasskeys(tx, userId)).filter(
        (passkey) => passkey.rp_id === origins.passkeys?.rpId,
      );
      mustKeepFactor(factors, kind !== undefined && working.length > 0);
      if (kind === undefined && working.length > 0) await mustSignInWithoutPasskeys(context, userId);
    }
    if (!(await removeSecondFactors(tx, userId, kind))) return {};
    await queueMail(tx, { kind: 'FactorRemoved', userId, now });
    emit('users_SecondFactorRemoved', { userId: id, ...(kind === undefined ? {} : { kind }) });
    emit('mail_Queued', {});
    return {};
  },
};
