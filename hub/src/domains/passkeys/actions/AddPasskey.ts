import { ActionError, ids } from '@corral/contract';
import { mustHaveSession, notFound } from '../../../auth/actors.ts';
import { mustBeName } from '../../../auth/names.ts';
import { verifyRegistration } from '../../../auth/passkeys/verify.ts';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import type { Handler } from '../../../calls/handler.ts';
import { amounts } from '../../../limits/amounts.ts';
import { hasFactor, queueMail, readSecondFactors, replaceRecoveryCodes } from '../../users/index.ts';
import { saveSetting } from '../../instance/index.ts';
import { mustHaveSite } from '../policy/site.ts';
import { hostSetting } from '../sql/passkey-host.ts';
import { addPasskey, expiryOfChallenges, takeChallenge } from '../sql/passkeys.ts';

/** Adds a passkey that a browser has just made. */
export const AddPasskey: Handler<'users_AddPasskey', string> = {
  authorize(context) {
    const { userId } = mustHaveSession(context.actor);
    mustBeSteppedUp(context);
    return ids.user.raw(userId);
  },

  async run(context, userId) {
    const { tx, input, vault, now, emit } = context;
    const { rpId, origin } = await mustHaveSite(context);
    const name = mustBeName(input.name, 'name');
    const expiryOf = await expiryOfChallenges(context, { purpose: 'registration', subject: userId });
    const made = await verifyRegistration(input.credential, { rpId, origin, expiryOf });
    if (made === undefined || !(await takeChallenge(tx, made)))
      throw new ActionError(
        'Invalid',
        'This passkey was not added: it took too long, or the browser did not check that it is you. Try again.',
      );
    const before = await readSecondFactors(tx, userId, { isLocked: true });
    if (before === undefined) throw notFound('User');
    const { transports = [] } = input.credential;
    const outcome = await addPasskey(tx, { ...made, userId, name, rpId, transports, now });
    if (outcome === 'TooMany')
      throw new ActionError(
        'Invalid',
        `You have ${amounts.passkeys.max} passkeys, and there can be no more. Remove one first.`,
      );
    if (outcome === 'Known') throw new ActionError('Invalid', 'This passkey is registered already.');
    await saveSetting(tx, vault, { key: hostSetting, value: rpId, isSecret: false, now });
    await queueMail(tx, { kind: 'FactorAdded', userId, now });
    emit('users_SecondFactorAdded', { userId: ids.user.of(userId), kind: 'passkey', name });
    emit('mail_Queued', {});
    return hasFactor(before) ? {} : { recoveryCodes: await replaceRecoveryCodes(tx, userId) };
  },
};
