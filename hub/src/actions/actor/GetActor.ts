import type { Handler } from '../../executor/handler.ts';

/** Returns the calling actor. */
export const GetActor: Handler<'actor_GetActor'> = {
  authorize: () => undefined,
  run: async ({ actor }) => ({ actor }),
};
