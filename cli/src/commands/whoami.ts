import type { Executor } from '@corral/client';
import type { Command } from 'commander';
import { CliError, exitCodes } from '../CliError.ts';
import { formatTime } from '../output/format.ts';
import { plainText } from '../output/plain-text.ts';
import { fieldList } from '../output/table.ts';
import { withExample, type CommandContext } from './command-context.ts';

/** `corral whoami`. */
export function addWhoAmI(program: Command, context: CommandContext): void {
  const command = program
    .command('whoami')
    .description('Says which hub is used, as which user, whether the token is valid, and what it may do.')
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
        // A service account has no address.
        ['User', me.email.includes('@') ? `${plainText(me.email)}${name}` : `service account${name}`],
        ['Token', { text: `good, ${me.tokenId}`, paint: out.style.green }],
        ...mayRows(me),
        ['From', tokenSource],
      ],
      out.style,
    ),
  );
}

/** Asks the hub whose token it is. Rejected with a CliError when it is no user's. */
export async function whoAmI(hub: Executor) {
  const { actor, token } = await hub.invoke('actor_GetActor', {});
  if (actor.actor !== 'UserToken')
    throw new CliError('The hub does not know this token as that of a user.', exitCodes.denied);
  const { userId, tokenId } = actor;
  const { email, displayName, isAdmin } = await hub.invoke('users_GetUserDetails', { userId });
  return {
    userId,
    tokenId,
    email,
    /** Whether the user is an administrator; what the token may do is in `token`. */
    isAdmin,
    ...(displayName === undefined ? {} : { displayName }),
    ...(token === undefined ? {} : { token }),
  };
}

/** What the token may do, and until when; nothing where an older hub does not answer that. */
function mayRows({ isAdmin, token }: Awaited<ReturnType<typeof whoAmI>>): [string, string][] {
  if (token === undefined) return [];
  const { access, verbs, administrator, projects, repositories, expiresAt } = token;
  const all = access === 'read' ? 'only read' : 'read and change';
  const verb =
    verbs === undefined || access === 'read'
      ? all
      : ['read', ...verbs.filter((one) => one !== 'read')].join(', ');
  const rights = `, ${administrator === true ? 'with' : 'without'} the rights of an administrator`;
  return [
    ['May', `${verb} ${reachOf(projects, repositories)}${isAdmin ? rights : ''}`],
    ...(expiresAt === undefined ? [] : [['Until', formatTime(expiresAt)] as [string, string]]),
  ];
}

function reachOf(projects?: readonly string[], repositories?: readonly string[]): string {
  if (projects === undefined && repositories === undefined)
    return 'all projects and repositories of its user';
  const reached = (ids: readonly string[] | undefined, one: string, many: string) =>
    ids === undefined ? `all ${many} of its user` : `${ids.length} ${ids.length === 1 ? one : many}`;
  return `${reached(projects, 'project', 'projects')} and ${reached(repositories, 'repository', 'repositories')}`;
}
