import type { Executor } from '@corral/client';
import type { Command } from 'commander';
import { CliError, exitCodes } from '../CliError.ts';
import { plainText } from '../output/plain-text.ts';
import { fieldList } from '../output/table.ts';
import { withExample, type CommandContext } from './command-context.ts';

/** `corral whoami`. */
export function addWhoAmI(program: Command, context: CommandContext): void {
  const command = program
    .command('whoami')
    .description('Says which hub is used, as which user, and whether the token is valid.')
    .action(() => show(context));
  withExample(command, 'corral whoami');
}

async function show(context: CommandContext): Promise<void> {
  const out = context.output();
  const { hubUrl, tokenSource } = context.config();
  const hub = context.hub();
  const me = await whoAmI(hub);
  const { version } = hub;
  const name = me.displayName === undefined ? '' : ` (${plainText(me.displayName)})`;
  out.result({ hubUrl, ...(version === undefined ? {} : { version }), ...me, tokenSource }, () =>
    fieldList(
      [
        ['Hub', `${hubUrl}${version === undefined ? '' : `, Corral ${plainText(version)}`}`],
        ['User', `${plainText(me.email)}${name}${me.isAdmin ? ', administrator' : ''}`],
        ['Token', { text: `good, ${me.tokenId}`, paint: out.style.green }],
        ['From', tokenSource],
      ],
      out.style,
    ),
  );
}

/** Asks the hub whose token it is. Rejected with a CliError when it is no user's. */
export async function whoAmI(hub: Executor) {
  const { actor } = await hub.invoke('actor_GetActor', {});
  if (actor.actor !== 'UserToken')
    throw new CliError('The hub does not know this token as that of a user.', exitCodes.denied);
  const { userId, tokenId } = actor;
  const { email, displayName, isAdmin } = await hub.invoke('users_GetUserDetails', { userId });
  return { userId, tokenId, email, isAdmin, ...(displayName === undefined ? {} : { displayName }) };
}
