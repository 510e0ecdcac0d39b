import type { SubCommandLine, HubArguments } from '../config/sub-command-line.ts';
import { fileMessage } from './backup/file-message.ts';
import { version } from '../wiring/version.ts';

/** A command beside the hub, such as `corral-hub doctor`. */
export interface HubCommand<Arguments = never> {
  readonly commandLine: SubCommandLine<Arguments>;
  /** Writes the result and resolves with the exit code: 0, or 1 if it found a problem. */
  run(given: Arguments & HubArguments, output: NodeJS.WritableStream): Promise<number>;
  /** The exit code for an error; 2 by default. */
  codeOf?(error: unknown): number;
}

/** Runs a command and resolves with its exit code. Writes an error as one sentence to stderr. */
export async function runCommand<Arguments>(
  { commandLine, run, codeOf = () => 2 }: HubCommand<Arguments>,
  argv: readonly string[],
  output: NodeJS.WritableStream,
): Promise<number> {
  try {
    const given = commandLine.read(argv);
    if (given !== 'help' && given !== 'version') return await run(given, output);
    output.write(given === 'help' ? commandLine.help : `${version}\n`);
    return 0;
  } catch (error) {
    const sentence = fileMessage(error) ?? (error instanceof Error ? error.message : String(error));
    process.stderr.write(`${sentence}\n`);
    return codeOf(error);
  }
}
