import type { Actor, Id } from '@corral/contract';
import type { GatewayContext } from './gateway-context.ts';
import type { Link } from './link.ts';

const hub: Actor = { actor: 'System', kind: 'System' };
/** Tokens that are checked at the same time share one statement. */
const tokensAtOnce = 1000;

/** Closes the links of user tokens that have expired or were deleted, and those of disabled users. This covers events that were lost. Without a database none is closed. */
export async function closeEndedTokens({ parts, registry }: GatewayContext): Promise<void> {
  const links = Map.groupBy(registry.links(), tokenOf);
  links.delete(undefined);
  const tokenIds = [...links.keys()] as Id<'userTokenId'>[];
  while (tokenIds.length > 0) {
    const input = { tokenIds: tokenIds.splice(0, tokensAtOnce) };
    const { ended } = await parts.executor
      .invoke({ actor: hub, origin: {} }, 'users_FindEndedTokens', input)
      .catch(() => ({ ended: [] }));
    for (const tokenId of ended)
      for (const link of links.get(tokenId as Id<'userTokenId'>) ?? [])
        link.close('the user token has ended');
  }
}

function tokenOf({ actor }: Link): Id<'userTokenId'> | undefined {
  return actor.actor === 'UserToken' ? (actor.tokenId as Id<'userTokenId'>) : undefined;
}
