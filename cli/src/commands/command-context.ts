import type { Command } from 'commander';
import type { ConfigPlace } from '../config-file.ts';
import { loadConfig, type CliConfig } from '../config.ts';
import { createHub, type Hub } from '../hub/hub.ts';
import { createOutput, type Output } from '../output/output.ts';

/** The environment and streams of the process. */
export interface ProgramContext extends ConfigPlace {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Installs the signal handlers and returns the signal that aborts when the process is asked to stop. */
  readonly stopSignal: () => AbortSignal;
}

/** What a command uses. */
export interface CommandContext {
  readonly parts: ProgramContext;
  /** The output, according to the options of this run. */
  output(): Output;
  config(): CliConfig;
  /** The configured hub. Throws a CliError. */
  hub(): Hub;
}

/** Creates the context of the commands. */
export function commandContextOf(program: Command, parts: ProgramContext): CommandContext {
  const config = (): CliConfig => loadConfig(parts);
  return {
    parts,
    config,
    output: () => createOutput(parts, parts.env, program.opts<{ json?: boolean }>().json === true),
    hub: () => createHub(config(), parts.env),
  };
}

/** Adds examples to the help of a command. */
export function withExample(command: Command, ...lines: readonly string[]): Command {
  const title = lines.length === 1 ? 'Example:' : 'Examples:';
  return command.addHelpText('after', `\n${title}\n${lines.map((line) => `  ${line}`).join('\n')}`);
}
