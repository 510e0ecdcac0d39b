import { ids, type Id } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import { endedTokens } from '../sql/user-tokens.ts';

/** Returns which of these tokens have expired, were deleted or belong to a disabled user, for the connections that depend on them. */
export const FindEndedTokens: Internal<
  { tokenIds: readonly Id<'userTokenId'>[] },
  { ended: Id<'userTokenId'>[] }
> = {
  name: 'users_FindEndedTokens',
  isQuery: true,
  async run({ tx, input, now }) {
    const ended = await endedTokens(tx, input.tokenIds.map(ids.userTokenId.raw), now);
    return { ended: ended.map(ids.userTokenId.of) };
  },
};
