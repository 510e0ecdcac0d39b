import { ids } from '@corral/contract';
import { mustHaveSession, notFound } from '../../../auth/actors.ts';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustSignInWithoutPasskeys } from '../../identities/index.ts';
import {
  deleteUnneededRecoveryCodes,
  mustKeepFactor,
  queueMail,
  readSecondFactors,
} from '../../users/index.ts';
import { readPasskeys } from '../sql/passkeys.ts';

/** Removes a passkey, unless it is the last factor that works and the instance asks for one, or the last way to sign in. */
export const DeletePasskey: Handler<'users_DeletePasskey', string> = {
  authorize(context) {
    const { userId } = mustHaveSession(context.actor);
    mustBeSteppedUp(context);
    return ids.user.raw(userId);
  },

  async run(context, userId) {
    const { tx, input, origins, now, emit } = context;
    const factors = await readSecondFactors(tx, userId, { isLocked: true });
    const passkeys = await readPasskeys(tx, userId);
    const passkey = passkeys.find((found) => found.credential_id === input.credentialId);
    if (factors === undefined || passkey === undefined) throw notFound('Passkey');
    const working = passkeys.filter((found) => found.rp_id === origins.passkeys?.rpId);
    const isLast = working.includes(passkey) && working.length === 1;
    if (isLast) mustKeepFactor(factors, factors.added_at !== null);
    if (isLast) await mustSignInWithoutPasskeys(context, userId);
    await tx.deleteFrom('passkeys').where('credential_id', '=', passkey.credential_id).execute();
    await deleteUnneededRecoveryCodes(tx, userId);
    await queueMail(tx, { kind: 'FactorRemoved', userId, now });
    emit('users_SecondFactorRemoved', {
      userId: ids.user.of(userId),
      kind: 'passkey',
      name: passkey.name,
    });
    emit('mail_Queued', {});
    return {};
  },
};
