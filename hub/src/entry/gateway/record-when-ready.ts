import { setTimeout as delay } from 'node:timers/promises';

/** How long the hub waits before it tries again to record a result, in milliseconds. */
const againMs = { first: 1_000, longest: 10_000 };

/** Records the result of a step, again after each failure that `isPassing`, as while the database is away. Rejected with any other. */
export async function recordWhenReady<Answer>(
  record: () => Promise<Answer>,
  isPassing: (error: unknown) => boolean,
): Promise<Answer> {
  for (let waitMs = againMs.first; ; waitMs = Math.min(waitMs * 2, againMs.longest)) {
    try {
      return await record();
    } catch (error) {
      if (!isPassing(error)) throw error;
      await delay(waitMs, undefined, { ref: false });
    }
  }
}
