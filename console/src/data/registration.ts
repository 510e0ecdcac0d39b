import type { CallInput } from '@corral/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { hubOf } from './hub.ts';

/** Asks for an account; how it went is in the answer's `result`. */
export const registerUser = mutationOptions({
  mutationKey: ['registerUser'],
  mutationFn: (registration: CallInput<'users_RegisterUser'>, { client }) =>
    hubOf(client).invoke('users_RegisterUser', registration),
});

/** Has the link that activates an account sent to an e-mail address once more. */
export const resendRegistrationEmail = mutationOptions({
  mutationKey: ['resendRegistrationEmail'],
  mutationFn: (email: string, { client }) => hubOf(client).invoke('users_ResendRegistrationEmail', { email }),
});

/**
 * Activates the account that a token was issued for. A token works once, so this is kept as the answer to a question that is
 * asked once: whoever shows it twice, or again, gets the first answer.
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
