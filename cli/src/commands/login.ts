import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Executor } from '@corral/client';
import { ActionError, ids, type CallInput, type Output, type TokenVerb } from '@corral/contract';
import type { Command } from 'commander';
import { CliError, exitCodes } from '../CliError.ts';
import { localFile, saveConfigFile, userFile } from '../config-file.ts';
import { checkHubUrl, configuredHub } from '../config.ts';
import { createHub } from '../hub/hub.ts';
import { plainText } from '../output/plain-text.ts';
import { withExample, type CommandContext } from './command-context.ts';
import { whoAmI } from './whoami.ts';

interface Options {
  readonly url?: string;
  readonly readOnly?: boolean;
  readonly verb?: readonly string[];
  readonly project?: readonly string[];
  readonly repository?: readonly string[];
  readonly administrator?: boolean;
  readonly days?: string;
  readonly local?: boolean;
  readonly allowPlainHttp?: boolean;
}

const verbs: readonly TokenVerb[] = ['read', 'publish', 'forward', 'operate', 'manage'];

type Asked = Output<'users_RequestLogin'>;
type Approved = Extract<Output<'users_RedeemLogin'>, { result: 'Approved' }>;

/** `corral login`. */
export function addLogin(program: Command, context: CommandContext): void {
  const command = program
    .command('login')
    .description('Gets a user token: shows a code that you confirm in the browser, and saves the token.')
    .option('--url <url>', 'the address of the hub; by default the one that is configured')
    .option('--read-only', 'a token that only reads')
    .option('--verb <verbs...>', `a token that does no more than this, besides reading: ${verbs.join(', ')}`)
    .option('--project <ids...>', 'a token for these projects only')
    .option('--repository <ids...>', 'a token for these repositories only')
    .option('--administrator', 'a token with the rights of an administrator')
    .option('--days <number>', 'how long the token is good (default: 90 days)')
    .option('--local', 'keep it in ./.corral.toml, for commands in this folder alone')
    .option('--allow-plain-http', 'speak plain HTTP to a hub on another machine')
    .action((options: Options) => login(context, options));
  withExample(command, 'corral login --url https://hub.example', 'corral login --read-only --days 7');
}

async function login({ parts, output }: CommandContext, options: Options): Promise<void> {
  const out = output();
  const { hubUrl, isPlainAllowed } = hubOf(parts, options);
  const hub = createHub({ hubUrl, token: undefined }, parts.env);
  const asked = await hub.invoke('users_RequestLogin', inputOf(options));
  const { userCode, url } = asked;
  out.note(`Open ${out.noteStyle.bold(plainText(url))} in a browser and enter the code:\n`);
  out.note(`    ${out.noteStyle.bold(plainText(userCode))}\n`);
  out.note('Waiting until you approve it there …');
  const { token, tokenId, expiresAt } = await decision(hub, asked);
  const path = options.local === true ? localFile(parts) : userFile(parts);
  await saveConfigFile(path, { hubUrl, token, isPlainAllowed });
  const { email } = await whoAmI(createHub({ hubUrl, token }, parts.env));
  out.result({ hubUrl, email, tokenId, expiresAt, path }, () => {
    const day = expiresAt.slice(0, 10);
    return `${out.style.green('✓')} Signed in as ${plainText(email)}. The token is in ${path} and is good until ${day}.`;
  });
}

function hubOf(parts: CommandContext['parts'], options: Options) {
  const configured = configuredHub(parts);
  const named = options.url ?? configured?.hubUrl;
  if (named === undefined)
    throw new CliError(
      'No hub is configured: name it, as in `corral login --url https://hub.example`.',
      exitCodes.usage,
    );
  const isPlainAllowed =
    options.allowPlainHttp === true || (options.url === undefined && configured?.isPlainAllowed === true);
  return { hubUrl: checkHubUrl(named, isPlainAllowed), isPlainAllowed };
}

function inputOf(options: Options): CallInput<'users_RequestLogin'> {
  const { readOnly, verb, project, repository, administrator, days } = options;
  return {
    name: `corral on ${hostname()}`.slice(0, 200),
    ...(readOnly === true ? { access: 'read' as const } : {}),
    ...(verb === undefined ? {} : { verbs: verb.map(checkVerb) }),
    ...(project === undefined ? {} : { projects: project.map((id) => checkId('project', id)) }),
    ...(repository === undefined ? {} : { repositories: repository.map((id) => checkId('repository', id)) }),
    ...(administrator === true ? { administrator: true } : {}),
    ...(days === undefined ? {} : { validForDays: checkDays(days) }),
  };
}

function checkVerb(text: string): TokenVerb {
  const verb = verbs.find((known) => known === text);
  if (verb !== undefined) return verb;
  throw new CliError(`--verb takes ${verbs.join(', ')}, not ${plainText(text)}.`, exitCodes.usage);
}

function checkId<Kind extends 'project' | 'repository'>(kind: Kind, text: string): never {
  const parsed = ids[kind].schema.safeParse(text);
  if (!parsed.success) throw new CliError(`${plainText(text)} is not the id of a ${kind}.`, exitCodes.usage);
  return parsed.data as never;
}

function checkDays(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new CliError('--days must be a whole number, such as 30.', exitCodes.usage);
}

/** Asks until the code is approved. Rejected with a CliError when it is denied or has expired. */
async function decision(hub: Executor, { secret, intervalSecs }: Asked): Promise<Approved> {
  // The hub says when the code has expired: the clock of this machine may be wrong.
  const endMs = performance.now() + 15 * 60_000;
  while (performance.now() < endMs) {
    await delay(Math.min(60, Math.max(1, intervalSecs)) * 1000);
    const answer = await hub.invoke('users_RedeemLogin', { secret }).catch(pendingIfTemporary);
    if (answer.result === 'Approved') return answer;
    if (answer.result === 'Denied')
      throw new CliError('The sign-in was denied in the browser.', exitCodes.denied);
    if (answer.result === 'Expired') break;
  }
  throw new CliError('The code has expired. Run `corral login` again for a new one.', exitCodes.denied);
}

/** A busy or restarting hub is asked again. */
function pendingIfTemporary(error: unknown): { result: 'Pending' } {
  if (error instanceof ActionError && ['Throttled', 'NotReady'].includes(error.kind))
    return { result: 'Pending' };
  throw error;
}
