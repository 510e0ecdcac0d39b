import { ids } from '@corral/contract';
import { mustHaveSession, notFound } from '../../../auth/actors.ts';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import type { Handler } from '../../../calls/handler.ts';
import {
  deleteUnneededRecoveryCodes,
  mustKeepFactor,
  queueMail,
  readSecondFactors,
} from '../../users/index.ts';
import { readPasskeys } from '../sql/passkeys.ts';

/** Removes a passkey, unless it is the last factor that works and the instance asks for one. */
export const DeletePasskey: Handler<'users_DeletePasskey', string> = {
  authorize(context) {
    const { userId } = mustHaveSession(context.actor);
    mustBeSteppedUp(context);
    return ids.user.raw(userId);
  },

  async run({ tx, input, origins, now, emit }, userId) {
    const factors = await readSecondFactors(tx, userId, { isLocked: true });
    const passkeys = await readPasskeys(tx, userId);
    const passkey = passkeys.find((found) => found.credential_id === input.credentialId);
    if (factors === undefined || passkey === undefined) throw notFound('Passkey');
    const working = passkeys.filter((found) => found.rp_id === origins.passkeys?.rpId);
    if (working.includes(passkey)) mustKeepFactor(factors, factors.added_at !== null || working.length > 1);
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
