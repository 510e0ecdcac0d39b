import type { Json } from '@corral/contract';
import type { Command } from 'commander';
import { CliError, exitCodes } from '../CliError.ts';
import { jsonOrInput } from './arguments.ts';
import { withExample, type CommandContext } from './command-context.ts';

type Metadata = Record<string, Json>;

/** Adds `set-metadata` to a command whose named thing has metadata; `set` writes it and resolves with the answer for programs. */
export function addSetMetadata(
  parent: Command,
  context: CommandContext,
  named: (command: Command) => Command,
  set: (given: string, metadata: Metadata) => Promise<object>,
): void {
  const command = named(
    parent.command('set-metadata').description('Replaces the metadata, all of it at once.'),
  )
    .argument('<metadata>', 'a JSON object, or - for the standard input')
    .action(async (given: string, text: string) => {
      const out = context.output();
      const answer = await set(given, await metadataOf(text, context.parts.stdin));
      out.result(answer, () => `${out.style.green('✓')} The metadata is set.`);
    });
  const what = parent.name() === 'versions' ? 'firmware/press@stable' : 'firmware/press';
  withExample(command, `corral ${parent.name()} set-metadata ${what} '{ "board": "GX-200" }'`);
}

async function metadataOf(text: string, stdin: AsyncIterable<unknown>): Promise<Metadata> {
  const value = await jsonOrInput('The metadata', text, stdin);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new CliError('The metadata must be a JSON object.', exitCodes.usage);
}
