import { ActionError, ids } from '@corral/contract';
import { mustHaveSession } from '../../../auth/actors.ts';
import { countsOf } from '../../../auth/request-limits.ts';
import { normalizeUserCode } from '../../../auth/user-code.ts';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import { Refusal } from '../../../calls/failures.ts';
import type { Handler } from '../../../calls/handler.ts';
import { instanceKey } from '../../instance/index.ts';
import { isAdministrator } from '../policy/actors.ts';
import { mayManage, mustBeValidTokenBounds } from '../policy/new-token.ts';
import { decideLogin, pendingLogin } from '../sql/login-requests.ts';
import { countRequest, mustBeWithinLimits } from '../sql/request-limits.ts';

/** Approves or denies a request for the calling user; a token wider than this user is refused here already. */
export const DecideLogin: Handler<'users_DecideLogin', string> = {
  authorize: ({ actor }) => mustHaveSession(actor).userId,

  async run(context, callerId) {
    const { tx, actor, input, origin, now } = context;
    const counts = countsOf(await instanceKey(context, 'request-limits'), 'wrongCodes', callerId);
    await mustBeWithinLimits(tx, counts, now);
    const request = await pendingLogin(tx, normalizeUserCode(input.userCode), now);
    if (request === undefined) {
      await countRequest(tx, counts, now);
      return new Refusal(
        new ActionError(
          'Invalid',
          'No sign-in waits with this code. Run `corral login` again for a new one.',
        ),
      );
    }
    const userId = ids.user.raw(callerId as never);
    if (input.isApproved) {
      const access = request.is_read_only ? 'read' : 'full';
      if (mayManage({ access, verbs: request.verbs ?? undefined, administrator: request.is_administrator }))
        mustBeSteppedUp(context);
      const creation = { userId, isByAdministrator: await isAdministrator(tx, actor), now };
      await mustBeValidTokenBounds(tx, creation, {
        projects: request.project_ids?.map(ids.project.of),
        repositories: request.repository_ids?.map(ids.repository.of),
        administrator: request.is_administrator,
      });
    }
    const { sessionId } = origin;
    await decideLogin(tx, request.request_id, { userId, isApproved: input.isApproved, sessionId });
    return {};
  },
};
