import { ActionError, ids } from '@corral/contract';
import { mustHaveSession } from '../../../auth/actors.ts';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import type { Handler } from '../../../calls/handler.ts';
import { sentenceOf } from '../policy/second-factors.ts';
import { queueMail } from '../sql/mail-queue.ts';
import { confirmEnrolment } from '../sql/second-factors.ts';

/** Adds an authenticator by its first code. */
export const ConfirmAuthenticatorEnrolment: Handler<'users_ConfirmAuthenticatorEnrolment', string> = {
  authorize(context) {
    const { userId } = mustHaveSession(context.actor);
    mustBeSteppedUp(context);
    return ids.user.raw(userId);
  },

  async run({ tx, vault, now, input, emit }, userId) {
    const recoveryCodes = await confirmEnrolment({ tx, vault, now }, userId, input.code);
    if (recoveryCodes === undefined) throw new ActionError('Invalid', sentenceOf('Wrong', now));
    await queueMail(tx, { kind: 'FactorAdded', userId, now });
    emit('users_SecondFactorAdded', { userId: ids.user.of(userId), kind: 'authenticator' });
    emit('mail_Queued', {});
    return recoveryCodes.length === 0 ? {} : { recoveryCodes };
  },
};
