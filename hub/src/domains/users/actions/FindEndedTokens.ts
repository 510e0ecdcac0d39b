import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeHub } from '../policy/actors.ts';
import { endedTokens } from '../sql/user-tokens.ts';

/** Returns which of these tokens have expired, were deleted or belong to a disabled user, for the connections that depend on them. */
export const FindEndedTokens: Handler<'users_FindEndedTokens'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, input, now }) {
    const ended = await endedTokens(tx, input.tokenIds.map(ids.userTokenId.raw), now);
    return { ended: ended.map(ids.userTokenId.of) };
  },
};
