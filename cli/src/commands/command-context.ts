import type { Command } from 'commander';
import type { ConfigPlace } from '../config-file.ts';
import { loadConfig, type CliConfig } from '../config.ts';
import { createHub, type Hub } from '../hub/hub.ts';
import { createOutput, type Output } from '../output/output.ts';

/** What the program reaches the world by. */
export interface ProgramContext extends ConfigPlace {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Aborts when the process is asked to stop; asking for it is what makes the process listen. */
  readonly stopSignal: () => AbortSignal;
}

/** What a command works with. */
export interface CommandContext {
  readonly parts: ProgramContext;
  /** How to write, as the options of this run say. */
  output(): Output;
  config(): CliConfig;
  /** The hub that is configured. Throws a CliError. */
  hub(): Hub;
}

/** Puts together what the commands of a program work with. */
export function commandContextOf(program: Command, parts: ProgramContext): CommandContext {
  const config = (): CliConfig => loadConfig(parts);
  return {
    parts,
    config,
    output: () => createOutput(parts, parts.env, program.opts<{ json?: boolean }>().json === true),
    hub: () => createHub(config(), parts.env),
  };
}

/** Help that shows how a command is used. */
export function withExample(command: Command, ...lines: readonly string[]): Command {
  const title = lines.length === 1 ? 'Example:' : 'Examples:';
  return command.addHelpText('after', `\n${title}\n${lines.map((line) => `  ${line}`).join('\n')}`);
}
