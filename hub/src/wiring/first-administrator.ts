import type { Executor } from '../calls/executor.ts';
import { systemCaller } from '../calls/handler.ts';

/** The credentials of the first administrator; the password only when the hub generated it. */
export interface FirstAdministrator {
  readonly email: string;
  readonly chosenPassword: string | undefined;
}

interface FirstAdministratorParts {
  readonly executor: Executor;
  readonly email: string;
  readonly password: string | undefined;
  readonly choosePassword: () => string;
}

/** Creates the first administrator when there are no users yet; undefined otherwise. */
export async function ensureFirstAdministrator(
  parts: FirstAdministratorParts,
): Promise<FirstAdministrator | undefined> {
  const { users } = await parts.executor.invoke(systemCaller, 'instance_GetInstanceStatistics', {});
  if (users > 0) return undefined;
  const chosenPassword = parts.password === undefined ? parts.choosePassword() : undefined;
  const password = parts.password ?? chosenPassword;
  const created = await parts.executor.invoke(systemCaller, 'users_CreateUser', {
    email: parts.email,
    displayName: 'Administrator',
    isAdmin: true,
    ...(password === undefined ? {} : { password }),
  });
  return created.result === 'Created' ? { email: parts.email, chosenPassword } : undefined;
}
