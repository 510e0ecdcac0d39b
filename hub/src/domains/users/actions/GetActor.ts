import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { readTokenBounds, tokenBoundsOf } from '../sql/user-tokens.ts';

/** Returns the calling actor, and what its user token may do. */
export const GetActor: Handler<'actor_GetActor'> = {
  authorize: () => undefined,

  async run({ tx, actor }) {
    if (actor.actor !== 'UserToken') return { actor };
    const bounds = await readTokenBounds(tx, ids.userTokenId.raw(actor.tokenId));
    return { actor, ...(bounds === undefined ? {} : { token: tokenBoundsOf(bounds) }) };
  },
};
