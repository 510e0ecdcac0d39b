import type { Command } from 'commander';
import { localFile, saveConfigFile, userFile } from '../config-file.ts';
import { checkHubUrl, checkToken } from '../config.ts';
import { createHub } from '../hub/hub.ts';
import { createPrompts } from '../output/prompts.ts';
import { whoAmI } from './whoami.ts';
import { withExample, type CommandContext } from './command-context.ts';

interface Options {
  readonly local?: boolean;
  readonly check: boolean;
  readonly allowPlainHttp?: boolean;
}

/** `corral configure`. */
export function addConfigure(program: Command, context: CommandContext): void {
  const command = program
    .command('configure')
    .description('Asks for a hub and a user token, tries them, and saves them for the next commands.')
    .option('--local', 'keep them in ./.corral.toml, for commands in this folder alone')
    .option('--no-check', 'keep them without asking the hub')
    .option('--allow-plain-http', 'speak plain HTTP to a hub on another machine')
    .action((options: Options) => configure(context, options));
  withExample(
    command,
    'corral configure',
    'printf "%s\\n" https://hub.example "$TOKEN" | corral configure --local',
  );
}

async function configure(
  { parts, output }: CommandContext,
  { local, check, allowPlainHttp }: Options,
): Promise<void> {
  const out = output();
  const isPlainAllowed = allowPlainHttp === true;
  const prompts = createPrompts(parts);
  let hubUrl: string;
  let token: string;
  try {
    hubUrl = checkHubUrl(await prompts.ask('Address of the hub: '), isPlainAllowed);
    token = checkToken(await prompts.askSecretly('User token (console: Account, Security): '));
  } finally {
    prompts.close();
  }
  const me = check ? await whoAmI(createHub({ hubUrl, token }, parts.env)) : undefined;
  const path = local === true ? localFile(parts) : userFile(parts);
  await saveConfigFile(path, { hubUrl, token, isPlainAllowed });
  out.result({ path, hubUrl, ...me }, () => {
    const who = me === undefined ? '' : ` You are ${me.email}.`;
    return `${out.style.green('✓')} Saved in ${path}.${who}`;
  });
}
