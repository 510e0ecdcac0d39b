import { z } from 'zod';
import { query } from '../define.ts';
import { empty } from '../scalars.ts';
import { actor } from '../shapes.ts';

/** The actions of who the caller is. */
export const actorActions = {
  actor_GetActor: query({
    doc: 'Tells the caller who the hub takes it for.',
    reads: [],
    input: empty,
    output: z.object({ actor: actor }),
  }),
} as const;
