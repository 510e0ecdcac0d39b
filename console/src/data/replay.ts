import type { QueryClient } from '@tanstack/react-query';
import { isNotSignedIn } from './query-client.ts';

/** Resolves when the user has signed in again or has gone: whether it is the same user. */
export type SignInAgain = () => Promise<boolean>;

const signIns = new WeakMap<QueryClient, SignInAgain>();

/** Lets the writes of a cache wait for the user to sign in again when their session has ended. */
export function replayWrites(client: QueryClient, signInAgain: SignInAgain): void {
  signIns.set(client, signInAgain);
}

/** Calls the hub, and once more when the session had ended and the same user has signed in again. */
export async function withReplay<Answer>(client: QueryClient, call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    const signInAgain = signIns.get(client);
    if (!isNotSignedIn(error) || signInAgain === undefined) throw error;
    // Not the hub's refusal, which would end the session of the next user.
    if (!(await signInAgain())) throw new Error(notSent, { cause: error });
    return call();
  }
}

const notSent = 'This was not sent, because the session had ended.';
