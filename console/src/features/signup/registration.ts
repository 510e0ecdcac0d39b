import type { CallInput } from '@corral/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { hubOf } from '../../data/hub.ts';

/** Registers an account; the outcome is the answer's `result`. */
export const registerUser = mutationOptions({
  mutationKey: ['registerUser'],
  mutationFn: (registration: CallInput<'users_RegisterUser'>, { client }) =>
    hubOf(client).invoke('users_RegisterUser', registration),
});

/** Sends the activation link to an e-mail address again. */
export const resendRegistrationEmail = mutationOptions({
  mutationKey: ['resendRegistrationEmail'],
  mutationFn: (email: string, { client }) => hubOf(client).invoke('users_ResendRegistrationEmail', { email }),
});

/**
 * Activates the account of a token. A token works once, so this is a query that is read only once: later mounts get the first
 * answer.
 */
export const activationQuery = (activationToken: string) =>
  queryOptions({
    queryKey: ['activation', activationToken] as const,
    queryFn: ({ client }) => hubOf(client).invoke('users_CompleteRegistration', { activationToken }),
    staleTime: Infinity,
    retry: false,
    retryOnMount: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
