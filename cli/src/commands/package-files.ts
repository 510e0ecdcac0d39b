import type { Command } from 'commander';
import { readFiles } from '../hub/file-owner.ts';
import { findPackage } from '../hub/find-repository.ts';
import { formatBytes } from '../output/format.ts';
import { plainText } from '../output/plain-text.ts';
import { table, words, type Cell } from '../output/table.ts';
import { stateOf } from './asset-state.ts';
import { withExample, type CommandContext } from './command-context.ts';
import { addFileChanges } from './file-changes.ts';

/** `corral packages files`, `upload` and `remove-file`. */
export function addPackageFiles(packages: Command, context: CommandContext): void {
  const listing = named(
    packages
      .command('files')
      .description('Lists the files of a package itself, which are the same for all versions.'),
  ).action((given: string) => list(context, given));
  withExample(listing, 'corral packages files firmware/press');
  addFileChanges(packages, context, {
    what: 'package',
    example: 'firmware/press',
    named,
    find: async (hub, given) => ({ packageId: await findPackage(hub, given) }),
  });
}

const named = (command: Command): Command =>
  command.argument('<package>', 'repository/package, or the id of the package');

async function list(context: CommandContext, given: string): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const packageId = await findPackage(hub, given);
  const { files } = await readFiles(hub, { packageId });
  out.result({ packageId, files }, () => {
    if (files.length === 0) return 'The package has no files of its own.';
    const rows = files.map((file): Cell[] => [
      plainText(file.filename),
      formatBytes(file.size),
      stateOf(file, out.style),
      file.assetId,
      { text: file.digest, paint: out.style.dim },
    ]);
    return table([words('FILE'), 'SIZE', 'STATE', 'ASSET', 'DIGEST'], rows, out);
  });
}
