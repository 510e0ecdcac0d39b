import type { SubCommandLine, HubArguments } from '../config/sub-command-line.ts';
import { fileSentence } from '../backup/file-sentence.ts';
import { version } from './version.ts';

/** A command beside the hub, such as `corral-hub doctor`. */
export interface HubCommand<Arguments = never> {
  readonly commandLine: SubCommandLine<Arguments>;
  /** Writes the result and resolves with the exit code: 0 if all is well, 1 if something is wrong. */
  run(given: Arguments & HubArguments, output: NodeJS.WritableStream): Promise<number>;
  /** The exit code of a failure, by default 2: it could not be done. */
  codeOf?(error: unknown): number;
}

/** Runs a command and resolves with its exit code. A failure is one sentence on the standard error output. */
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
    const sentence = fileSentence(error) ?? (error instanceof Error ? error.message : String(error));
    process.stderr.write(`${sentence}\n`);
    return codeOf(error);
  }
}
