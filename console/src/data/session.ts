import type { Id } from '@corral/contract';
import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import { type Credentials, type GivenFactor, hubOf, type Proof, type SignInStep } from './hub.ts';
import { isNotSignedIn } from './query-client.ts';
import { configQuery, sessionQuery } from './queries-account.ts';

/** Signs in at the hub. The caller clears the cache, whose data belongs to the former session, and navigates. */
export const signIn = mutationOptions({
  mutationKey: ['signIn'],
  // A wrong password is a result for the form, not the end of a session.
  mutationFn: async (credentials: Credentials, { client }): Promise<SignInResult> => {
    try {
      return (await hubOf(client).signIn(credentials)) ?? 'SignedIn';
    } catch (error) {
      if (isNotSignedIn(error)) return 'WrongCredentials';
      throw error;
    }
  },
});

/** The outcome of a sign-in, or what it takes beside the password; other failures are thrown. */
export type SignInResult = 'SignedIn' | 'WrongCredentials' | SignInStep;

/** Ends a sign-in that takes more than the password; its answer is not kept. */
export const completeSignIn = mutationOptions({
  mutationKey: ['completeSignIn'],
  gcTime: 0,
  mutationFn: (given: GivenFactor, { client }) => hubOf(client).completeSignIn(given),
});

/** Confirms who the user is, by a password, a code or a passkey. */
export const stepUp = mutationOptions({
  mutationKey: ['stepUp'],
  gcTime: 0,
  mutationFn: (proof: Proof, { client }) => hubOf(client).stepUp(proof),
});

/** Signs out at the hub, then clears the cached data of the session. A session that has ended already counts as signed out. */
export const signOut = mutationOptions({
  mutationKey: ['signOut'],
  mutationFn: async (_nothing: void, { client }) => {
    try {
      return (await hubOf(client).signOut()) ?? null;
    } catch (error) {
      if (!isNotSignedIn(error)) throw error;
      return null;
    }
  },
  onSuccess: (_data, _variables, _applied, { client }) => clearSession(client),
});

const userKey = 'corral.user';

/** The user who was signed in last in this browser, so that a page renders before the hub answers; undefined after a sign-out. */
export function lastUser(): Id<'user'> | undefined {
  try {
    return (localStorage.getItem(userKey) as Id<'user'> | null) ?? undefined;
  } catch {
    // The browser keeps nothing.
    return undefined;
  }
}

/** Remembers who is signed in; undefined forgets it. */
export function setLastUser(userId: Id<'user'> | undefined): void {
  try {
    if (userId === undefined) localStorage.removeItem(userKey);
    else localStorage.setItem(userKey, userId);
  } catch {
    // Then pages wait for the hub.
  }
}

/** Whether the hub has confirmed the user, who may otherwise be known from the browser only. */
export function isSessionConfirmed(client: QueryClient): boolean {
  return (client.getQueryState(sessionQuery.queryKey)?.dataUpdatedAt ?? 0) > 0;
}

/** Removes the session and all data read in it from the cache; the public configuration stays. */
export function clearSession(client: QueryClient): void {
  setLastUser(undefined);
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== configQuery.queryKey[0] });
}

/** The id of the signed-in user. Only for pages below the guard, which loads the session. */
export function signedInUserId(client: QueryClient) {
  const session = client.getQueryData(sessionQuery.queryKey);
  if (session === undefined)
    throw new Error('Nobody is signed in: signedInUserId is only for pages below the guard.');
  return session.userId;
}

const recentMs = 5000;

/** Whether a user is signed in: from the cache, else from the hub, without retries. An error means no. */
export async function isSignedIn(client: QueryClient): Promise<boolean> {
  const known = client.getQueryState(sessionQuery.queryKey);
  if (known?.data !== undefined) return true;
  // The guard has just read the session and redirected the visitor here.
  if (known !== undefined && Date.now() - known.errorUpdatedAt < recentMs) return false;
  return client.fetchQuery({ ...sessionQuery, retry: false }).then(
    () => true,
    () => false,
  );
}
