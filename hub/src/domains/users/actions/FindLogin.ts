import { ids } from '@corral/contract';
import { countsOf } from '../../../auth/request-limits.ts';
import { normalizeUserCode } from '../../../auth/user-code.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustHaveSession } from '../../../auth/actors.ts';
import { instanceKey } from '../../instance/index.ts';
import { pendingLogin } from '../sql/login-requests.ts';
import { countRequest, mustBeWithinLimits } from '../sql/request-limits.ts';

/** Returns what is asked for with a code; a wrong code counts against the user. */
export const FindLogin: Handler<'users_FindLogin', string> = {
  authorize: ({ actor }) => mustHaveSession(actor).userId,

  async run(context, userId) {
    const { tx, input, now } = context;
    const counts = countsOf(await instanceKey(context, 'request-limits'), 'wrongCodes', userId);
    await mustBeWithinLimits(tx, counts, now);
    const request = await pendingLogin(tx, normalizeUserCode(input.userCode), now);
    if (request === undefined) {
      await countRequest(tx, counts, now);
      return { result: 'NotFound' };
    }
    return {
      result: 'Found',
      userCode: request.user_code,
      name: request.name,
      ...(request.address === null ? {} : { address: request.address }),
      createdAt: request.created_at,
      expiresAt: request.expires_at,
      access: request.is_read_only ? 'read' : 'full',
      ...(request.verbs === null ? {} : { verbs: [...request.verbs] }),
      ...(request.project_ids === null ? {} : { projects: request.project_ids.map(ids.project.of) }),
      ...(request.repository_ids === null
        ? {}
        : { repositories: request.repository_ids.map(ids.repository.of) }),
      administrator: request.is_administrator,
      validForDays: Math.round(request.token_valid_secs / 86_400),
    };
  },
};
