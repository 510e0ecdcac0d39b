import { stat } from 'node:fs/promises';
import { mapConcurrently, type Executor } from '@corral/client';
import { digestFile, placeBelow, type VersionFile } from '@corral/client/node';
import type { Command } from 'commander';
import { CliError, exitCodes } from '../CliError.ts';
import { findVersion, versionHelp } from '../hub/find-repository.ts';
import { plainText } from '../output/plain-text.ts';
import { pull, withPullOptions } from './pull.ts';
import { withExample, type CommandContext } from './command-context.ts';
import { addFileChanges } from './file-changes.ts';

/** `corral versions upload`, `remove-file`, `download` and `verify`. */
export function addVersionFiles(versions: Command, context: CommandContext): void {
  addFileChanges(versions, context, {
    what: 'version',
    example: 'firmware/press@beta',
    named,
    find: async (hub, given) => ({ versionId: await findVersion(hub, given) }),
  });
  const downloading = withPullOptions(
    versions.command('download').description('Downloads the files of a version, as `corral pull` does.'),
  ).action((version: string, file: string | undefined, options: { output?: string; from: string[] }) =>
    pull(context, version, file, options),
  );
  withExample(downloading, 'corral versions download firmware/press@stable press.img');
  const verifying = named(
    versions.command('verify').description('Compares local files with those of a version by their digests.'),
  )
    .argument('[path]', 'the folder with the files, or the one file', '.')
    .action((version: string, path: string) => verify(context, version, path));
  withExample(verifying, 'corral versions verify firmware/press@stable /srv/images');
}

const named = (command: Command): Command => command.argument('<version>', versionHelp);

async function verify(context: CommandContext, version: string, path: string): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const versionId = await findVersion(hub, version);
  const files = await filesOf(hub, versionId);
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() === true;
  if (!isFolder && files.length > 1)
    throw new CliError('The version has several files: name the folder that holds them.', exitCodes.usage);
  const results = await mapConcurrently(files, async ({ filename, digest }) => {
    const file = await digestFile(isFolder ? await placeBelow(path, filename) : path);
    return { filename, path: file.path, digest, isEqual: file.digest === digest };
  });
  out.result({ versionId, files: results }, () =>
    results
      .map((one) => `${one.isEqual ? out.style.green('✓') : out.style.red('✗')} ${plainText(one.path)}`)
      .join('\n'),
  );
  const wrong = results.filter(({ isEqual }) => !isEqual).map((one) => plainText(one.filename));
  if (wrong.length > 0)
    throw new CliError(`Not the bytes of the version: ${wrong.join(', ')}.`, exitCodes.damaged);
}

async function filesOf(hub: Executor, versionId: `pkg_v_${string}`): Promise<VersionFile[]> {
  return (await hub.invoke('repositories_GetPackageVersionDetails', { versionId })).assets;
}
