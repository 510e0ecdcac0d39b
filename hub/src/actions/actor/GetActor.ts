import type { Handler } from '../../executor/handler.ts';

/** Answers whoever asks with what the hub takes it for. */
export const GetActor: Handler<'actor_GetActor'> = {
  authorize: () => undefined,
  run: async ({ actor }) => ({ actor }),
};
