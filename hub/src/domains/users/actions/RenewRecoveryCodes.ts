import { ActionError, ids } from '@corral/contract';
import { mustHaveSession } from '../../../auth/actors.ts';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import type { Handler } from '../../../calls/handler.ts';
import { queueMail } from '../sql/mail-queue.ts';
import { hasFactor, readSecondFactors, replaceRecoveryCodes } from '../sql/second-factors.ts';

/** Makes new recovery codes, and tells the user by e-mail; those before stop working. */
export const RenewRecoveryCodes: Handler<'users_RenewRecoveryCodes', string> = {
  authorize(context) {
    const { userId } = mustHaveSession(context.actor);
    mustBeSteppedUp(context);
    return ids.user.raw(userId);
  },

  async run({ tx, now, emit }, userId) {
    const factors = await readSecondFactors(tx, userId);
    if (factors === undefined || !hasFactor(factors))
      throw new ActionError('Invalid', 'Set up a second factor first: recovery codes stand in for it.');
    const recoveryCodes = await replaceRecoveryCodes(tx, userId);
    await queueMail(tx, { kind: 'RecoveryCodesRenewed', userId, now });
    emit('users_RecoveryCodesRenewed', { userId: ids.user.of(userId) });
    emit('mail_Queued', {});
    return { recoveryCodes };
  },
};
