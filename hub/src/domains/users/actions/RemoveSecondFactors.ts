import { ActionError, ids } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustManageAccount } from '../policy/accounts.ts';
import { queueMail } from '../sql/mail-queue.ts';
import { readSecondFactors, removeSecondFactors } from '../sql/second-factors.ts';

/** Removes all second factors of a user, and tells the user by e-mail. Nobody removes an own one that the instance asks for. */
export const RemoveSecondFactors: Handler<'users_RemoveSecondFactors'> = {
  async authorize(context) {
    await mustManageAccount(context.tx, context.actor, context.input.userId);
    mustBeSteppedUp(context);
  },

  async run({ tx, actor, input, now, emit }) {
    const userId = ids.user.raw(input.userId);
    const factors = await readSecondFactors(tx, userId);
    if (factors === undefined) throw notFound('User');
    if (factors.is_required && 'userId' in actor && actor.userId === input.userId)
      throw new ActionError(
        'Invalid',
        'This hub asks you for a second factor, so you cannot remove it. If you have lost it, another administrator can.',
      );
    if (!(await removeSecondFactors(tx, userId))) return {};
    await queueMail(tx, { kind: 'FactorRemoved', userId, now });
    emit('users_SecondFactorRemoved', { userId: input.userId });
    emit('mail_Queued', {});
    return {};
  },
};
