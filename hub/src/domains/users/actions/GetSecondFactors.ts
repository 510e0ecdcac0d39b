import { ids } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustManageAccount } from '../policy/accounts.ts';
import { isLocked, readSecondFactors } from '../sql/second-factors.ts';

/** Returns the second factors of a user. */
export const GetSecondFactors: Handler<'users_GetSecondFactors'> = {
  authorize: ({ tx, actor, input }) => mustManageAccount(tx, actor, input.userId),

  async run({ tx, input }) {
    const factors = await readSecondFactors(tx, ids.user.raw(input.userId));
    if (factors === undefined) throw notFound('User');
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
      recoveryCodesLeft: factors.recovery_codes_left,
      isRequired: factors.is_required,
      ...(dueAt === null ? {} : { dueAt }),
    };
  },
};
