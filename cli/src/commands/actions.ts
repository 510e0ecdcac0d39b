import type { Command } from 'commander';
import type { ActionName } from '@corral/contract';
import { CliError, exitCodes } from '../CliError.ts';
import { jsonOrInput } from './arguments.ts';
import { withExample, type CommandContext } from './command-context.ts';

/** `corral actions execute`. */
export function addActions(program: Command, context: CommandContext): void {
  const command = program
    .command('actions')
    .description('Works with the actions of the hub.')
    .command('execute')
    .description('Runs one action and prints its output as JSON.')
    .argument('<name>', 'the name of the action, such as projects_QueryProjects')
    .argument('[input]', 'its input as JSON, or - for the standard input', '{}')
    .action((name: string, input: string) => execute(context, name, input));
  withExample(
    command,
    'corral actions execute projects_CreateProject \'{"name":"Plant"}\'',
    'jq -n \'{name: "Plant"}\' | corral actions execute projects_CreateProject -',
  );
}

async function execute(context: CommandContext, name: string, text: string): Promise<void> {
  if (!/^[A-Za-z]\w{0,254}$/.test(name))
    throw new CliError('The name of an action is letters, digits and underscores.', exitCodes.usage);
  const input = await jsonOrInput('The input', text, context.parts.stdin);
  // The hub may know actions that this program does not.
  const value = (await context.hub().invoke(name as ActionName, input as never)) as { result?: unknown };
  const out = context.output();
  out.write(`${JSON.stringify(value, undefined, 2)}\n`);
  const result = String(value.result ?? '');
  if (/(?:AlreadyExists|Conflict)$/.test(result))
    throw new CliError(`The hub answered ${result}.`, exitCodes.conflict);
}
