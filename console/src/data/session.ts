import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import { type Credentials, hubOf } from './hub.ts';
import { isNotSignedIn } from './query-client.ts';
import { configQuery, sessionQuery } from './queries-account.ts';

/** Signs in. What was cached before belongs to nobody or somebody else, so it is dropped; the caller moves on. */
export const signIn = mutationOptions({
  mutationKey: ['signIn'],
  // A wrong password is an answer to this form and not the end of a session.
  mutationFn: async (credentials: Credentials, { client }): Promise<SignInResult> => {
    try {
      await hubOf(client).signIn(credentials);
      return 'SignedIn';
    } catch (error) {
      if (isNotSignedIn(error)) return 'WrongCredentials';
      throw error;
    }
  },
});

/** How an attempt to sign in ended; other failures are thrown. */
export type SignInResult = 'SignedIn' | 'WrongCredentials';

/** Signs out at the hub, then forgets everything that was read. A session that is over already counts as signed out. */
export const signOut = mutationOptions({
  mutationKey: ['signOut'],
  mutationFn: async (_nothing: void, { client }) => {
    try {
      await hubOf(client).signOut();
    } catch (error) {
      if (!isNotSignedIn(error)) throw error;
    }
  },
  onSuccess: (_data, _variables, _applied, { client }) => forgetSession(client),
});

/** Drops the session and all that was read in it; the public configuration stays. */
export function forgetSession(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== configQuery.queryKey[0] });
}

/** The id of the signed-in user; only below the guard, which has loaded it. */
export function signedInUserId(client: QueryClient) {
  const session = client.getQueryData(sessionQuery.queryKey);
  if (session === undefined) throw new Error('Nobody is signed in here: this belongs below the guard.');
  return session.userId;
}

const recentMs = 5000;

/** Whether somebody is signed in: from the cache, or by asking the hub once. A hub that does not answer means no. */
export async function isSignedIn(client: QueryClient): Promise<boolean> {
  const known = client.getQueryState(sessionQuery.queryKey);
  if (known?.data !== undefined) return true;
  // The guard has just asked and sent the visitor here.
  if (known !== undefined && Date.now() - known.errorUpdatedAt < recentMs) return false;
  return client.fetchQuery({ ...sessionQuery, retry: false }).then(
    () => true,
    () => false,
  );
}
