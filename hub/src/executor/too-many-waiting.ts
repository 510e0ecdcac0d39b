import { ActionError } from '@corral/contract';

/** How many calls of one caller wait for their turn, each with its input. */
export const mostWaitingOfCaller = 1_000;

/** Makes the refusal of a further command or query. */
export function tooManyWaiting(what: 'commands' | 'queries'): () => ActionError {
  return () =>
    new ActionError('Throttled', `Too many of your ${what} are waiting. Try again in 5 seconds.`, {
      retryAfterSecs: 5,
    });
}
