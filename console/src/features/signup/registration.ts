import { queryOptions } from '@tanstack/react-query';
import { actionMutation } from '../../data/action-mutation.ts';
import { hubOf } from '../../data/hub.ts';

/** Registers an account; the outcome is the answer's `result`. */
export const registerUser = actionMutation('users_RegisterUser', 'users_RegistrationCreated');

/** Sends the activation link to an e-mail address again. */
export const resendRegistrationEmail = actionMutation(
  'users_ResendRegistrationEmail',
  'users_RegistrationEmailSent',
);

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
