import { ActionError, type Id } from '@corral/contract';
import type { Command } from 'commander';
import { readConfigFile, saveConfigFile } from '../config-file.ts';
import { withExample, type CommandContext } from './command-context.ts';

/** `corral logout`. */
export function addLogout(program: Command, context: CommandContext): void {
  const command = program
    .command('logout')
    .description('Deletes the user token at the hub, and from the file that it is in.')
    .action(() => logout(context));
  withExample(command, 'corral logout');
}

async function logout(context: CommandContext): Promise<void> {
  const out = context.output();
  const { hubUrl, token, tokenSource } = context.config();
  const isDeleted = await deleteToken(context);
  const file = tokenSource === 'CORRAL_TOKEN' ? undefined : readConfigFile(tokenSource);
  if (file?.token === token) await saveConfigFile(tokenSource, { ...file, token: undefined });
  out.result({ hubUrl, isDeleted, tokenSource }, () => {
    const there = isDeleted
      ? `The token was deleted at ${hubUrl}.`
      : `${hubUrl} does not know the token any more.`;
    const here = file === undefined ? 'Unset CORRAL_TOKEN as well.' : `It is no longer in ${tokenSource}.`;
    return `${out.style.green('✓')} ${there} ${here}`;
  });
}

/** Deletes the token that the command line uses; false when the hub does not know it. */
async function deleteToken(context: CommandContext): Promise<boolean> {
  try {
    const hub = context.hub();
    const { actor } = await hub.invoke('actor_GetActor', {});
    if (actor.actor !== 'UserToken') return false;
    await hub.invoke('users_DeleteUserToken', { tokenId: actor.tokenId as Id<'userTokenId'> });
    return true;
  } catch (error) {
    if (error instanceof ActionError && error.kind === 'NotSignedIn') return false;
    throw error;
  }
}
