import { z } from 'zod';
import { query } from '../define.ts';
import { empty } from '../scalars.ts';
import { actor, tokenBounds } from '../shapes.ts';

/** Actions about the calling actor. */
export const actorActions = {
  actor_GetActor: query({
    doc: 'Returns the actor that the hub identified the caller as, and of a user token what it may do.',
    reads: [],
    input: empty,
    output: z.object({ actor: actor, token: z.object(tokenBounds).optional() }),
  }),
} as const;
