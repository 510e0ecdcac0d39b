import { ids } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { readPasskeys } from '../../passkeys/index.ts';
import { mustManageAccount } from '../policy/accounts.ts';
import { waysToConfirm } from '../policy/ways-to-confirm.ts';
import { isLocked, readSecondFactors } from '../sql/second-factors.ts';

/** Returns the second factors of a user. */
export const GetSecondFactors: Handler<'users_GetSecondFactors'> = {
  authorize: ({ tx, actor, input }) => mustManageAccount(tx, actor, input.userId),

  async run(context) {
    const { tx, input, origins } = context;
    const userId = ids.user.raw(input.userId);
    const factors = await readSecondFactors(tx, userId);
    if (factors === undefined) throw notFound('User');
    const passkeys = await readPasskeys(tx, userId);
    const { added_at: addedAt, last_wrong_at: lastWrongAt, due_at: dueAt } = factors;
    return {
      ...(addedAt === null
        ? {}
        : {
            authenticator: {
              addedAt,
              isLocked: isLocked(factors),
              ...(lastWrongAt === null ? {} : { lastWrongAt }),
            },
          }),
      passkeys: passkeys.map((passkey) => ({
        credentialId: passkey.credential_id,
        name: passkey.name,
        addedAt: passkey.created_at,
        ...(passkey.last_used_at === null ? {} : { lastUsedAt: passkey.last_used_at }),
        isBackedUp: passkey.is_backed_up,
        ...(passkey.rp_id === origins.passkeys?.rpId ? {} : { worksOnlyAt: passkey.rp_id }),
      })),
      recoveryCodesLeft: factors.recovery_codes_left,
      isRequired: factors.is_required,
      ...(dueAt === null ? {} : { dueAt }),
      confirmsBy: await waysToConfirm(context, userId, factors),
    };
  },
};
