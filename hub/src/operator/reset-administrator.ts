import { canonicalEmail, type Output } from '@corral/contract';
import { newRandomPassword } from '../auth/random-password.ts';
import type { Executor } from '../calls/executor.ts';
import { systemCaller } from '../calls/handler.ts';
import { loadConfig } from '../config/config.ts';
import { type ResetArguments, resetCommandLine } from '../config/reset-command-line.ts';
import { offlineExecutor } from './offline-executor.ts';
import { openExistingDatabase } from './open-existing-database.ts';
import type { HubCommand } from './run-command.ts';

type User = Output<'users_QueryUsers'>['users'][number];

const maxSuggestions = 5;

/** `corral-hub reset-administrator`. */
export const resetCommand: HubCommand<ResetArguments> = {
  commandLine: resetCommandLine,

  async run({ email, removesSecondFactors, hubArguments }, output) {
    const config = loadConfig({ argv: hubArguments });
    const database = await openExistingDatabase(config);
    try {
      const executor = await offlineExecutor(config, database);
      output.write(await reset(executor, email ?? config.adminEmail, removesSecondFactors));
      return 0;
    } finally {
      await database.close();
    }
  },
};

/** Resets the account; resolves with a text for the operator. */
async function reset(executor: Executor, email: string, removesSecondFactors: boolean): Promise<string> {
  const user = await findUser(executor, email);
  const { userId } = user;
  const password = newRandomPassword();
  await executor.invoke(systemCaller, 'users_SetUserPassword', { userId, password });
  const { settings } = await executor.invoke(systemCaller, 'instance_GetInstanceSettingsRaw', {});
  const arePasswordsOff = settings['passwords'] === 'nobody';
  if (arePasswordsOff)
    await executor.invoke(systemCaller, 'instance_SetInstanceSettingRaw', {
      key: 'passwords',
      value: 'administrators',
    });
  if (user.isDisabled)
    await executor.invoke(systemCaller, 'users_SetUserIsDisabled', { userId, isDisabled: false });
  if (removesSecondFactors) await executor.invoke(systemCaller, 'users_RemoveSecondFactors', { userId });
  // Also of whom groups made one: they could take it away at the next sign-in.
  await executor.invoke(systemCaller, 'users_SetUserIsAdmin', { userId, isAdmin: true });
  const { identities } = await executor.invoke(systemCaller, 'users_GetUserIdentities', { userId });
  return `
  The administrator has a new password, shown only this once:
    e-mail    ${user.email}
    password  ${password}

  ${arePasswordsOff ? 'Administrators may sign in with a password again. ' : ''}${factorSentence(user, removesSecondFactors)}${user.isAdminFromGroups === true ? 'It stays an administrator, whatever its groups at the provider say. ' : ''}All sessions of the account have ended. Its user tokens${identities.length === 0 ? '' : ', and its accounts at the provider,'} are still valid: delete them under Settings, Security, if others may know them.

`;
}

function factorSentence({ hasSecondFactor }: User, areRemoved: boolean): string {
  if (hasSecondFactor !== true) return '';
  return areRemoved
    ? 'Its second factor was removed. '
    : 'Signing in also takes its second factor; if that is lost, run this again with --remove-second-factors. ';
}

async function findUser(executor: Executor, email: string): Promise<User> {
  const { users } = await executor.invoke(systemCaller, 'users_QueryUsers', { search: email });
  const canonical = canonicalEmail(email);
  const user = users.find((found) => canonicalEmail(found.email) === canonical);
  if (user !== undefined) return user;
  const administrators = await executor.invoke(systemCaller, 'users_QueryUsers', { isAdmin: true });
  const suggestions = administrators.users.slice(0, maxSuggestions).map((found) => found.email);
  throw new Error(
    `There is no account with the address ${email}: name one with --email${suggestions.length === 0 ? '' : `, such as that of an administrator: ${suggestions.join(', ')}`}.`,
  );
}
