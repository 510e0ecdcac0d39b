import type { Command } from 'commander';
import { actOnFleet } from '../fleet/act-on-fleet.ts';
import { definitionOf, withOperationOptions, type OperationOptions } from '../fleet/operation-options.ts';
import { jsonOrInput, wholeNumber } from './arguments.ts';
import { withExample, type CommandContext } from './command-context.ts';

interface Options extends OperationOptions {
  readonly input: string;
  readonly timeout?: number;
}

const daySecs = 86_400;

/** `corral run`. */
export function addRun(program: Command, context: CommandContext): void {
  const command = program
    .command('run')
    .description(
      'Runs a command that devices offer on the devices of a project: says on which, asks, and shows how it goes.',
    )
    .argument('<command>', 'name of the command')
    .option('--input <json>', 'its input as JSON, or - for the standard input', '{}')
    .option(
      '--timeout <seconds>',
      'how long it may take on a device; an hour by default',
      wholeNumber(1, daySecs),
    )
    .action((name: string, options: Options) => run(context, name, options));
  withExample(
    withOperationOptions(command),
    "corral run collect-logs --on 'label.ring:canary' --preview",
    'corral run restart-service --input \'{"unit":"press"}\' --on \'connected site:north\' --stages 1,10,100',
  );
}

async function run(context: CommandContext, command: string, options: Options): Promise<void> {
  const input = await jsonOrInput('The input', options.input, context.parts.stdin);
  const { timeout } = options;
  const step = {
    kind: 'DeviceCommand' as const,
    command,
    input,
    ...(timeout === undefined ? {} : { timeoutSecs: timeout }),
  };
  const definition = { ...definitionOf(options, `Run ${command}`), steps: [step] };
  await actOnFleet(context, context.hub(), definition, options);
}
