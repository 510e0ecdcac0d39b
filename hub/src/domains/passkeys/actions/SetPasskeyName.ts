import { ids } from '@corral/contract';
import { mustHaveSession, notFound } from '../../../auth/actors.ts';
import { mustBeName } from '../../../auth/names.ts';
import type { Handler } from '../../../calls/handler.ts';

/** Renames a passkey. */
export const SetPasskeyName: Handler<'users_SetPasskeyName', string> = {
  authorize: ({ actor }) => ids.user.raw(mustHaveSession(actor).userId),

  async run({ tx, input, emit }, userId) {
    const name = mustBeName(input.name, 'name');
    const renamed = await tx
      .updateTable('passkeys')
      .set({ name })
      .where('credential_id', '=', input.credentialId)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    if (renamed.numUpdatedRows === 0n) throw notFound('Passkey');
    emit('users_PasskeyRenamed', { userId: ids.user.of(userId), name });
    return {};
  },
};
