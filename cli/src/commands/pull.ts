import type { PulledFile } from '@corral/client/node';
import { pullVersion } from '@corral/client/node';
import type { Command } from 'commander';
import { findVersion, versionHelp } from '../hub/find-repository.ts';
import { formatBytes } from '../output/format.ts';
import { plainText } from '../output/plain-text.ts';
import type { Style } from '../output/style.ts';
import { repeated } from './arguments.ts';
import { withExample, type CommandContext } from './command-context.ts';
import { withTransfers } from './transfers.ts';

interface Options {
  readonly output?: string;
  readonly from: string[];
}

/** `corral pull`. */
export function addPull(program: Command, context: CommandContext): void {
  const command = withPullOptions(
    program
      .command('pull')
      .description(
        'Downloads the files of a version and verifies them. Run again after an interruption, it resumes.',
      ),
  ).action((version: string, file: string | undefined, options: Options) =>
    pull(context, version, file, options),
  );
  withExample(
    command,
    'corral pull firmware/press@stable',
    'corral pull firmware/press@stable press.img --output /tmp/press.img --from press-1.3.img',
  );
}

/** Adds the arguments and options of a download. */
export function withPullOptions(command: Command): Command {
  return command
    .argument('<version>', versionHelp)
    .argument('[file]', 'only this file of the version')
    .option('--output <path>', 'a folder, or the path of the one file')
    .option('--from <file>', 'take what is equal from this file; may be repeated', repeated, []);
}

/** Downloads files of a version. */
export async function pull(
  context: CommandContext,
  version: string,
  filename: string | undefined,
  { output, from }: Options,
): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const versionId = await findVersion(hub, version);
  const files = await withTransfers(context, hub, ({ http, signal, view }) =>
    pullVersion({
      executor: hub,
      http,
      versionId,
      filename,
      output,
      from,
      signal,
      observe: (file) => view.start(file.filename),
    }),
  );
  out.result({ versionId, files }, () => files.map((file) => lineOf(file, out.style)).join('\n'));
}

function lineOf({ status, path, sizeBytes, fetchedBytes }: PulledFile, style: Style): string {
  const fetched =
    status === 'unchanged' ? 'unchanged' : `${formatBytes(sizeBytes)}, ${formatBytes(fetchedBytes)} fetched`;
  return `${style.green('✓')} ${plainText(path)}: ${fetched}`;
}
