import { readCount, readSize, type Output as Answer } from '@corral/contract';
import { InvalidArgumentError, type Command } from 'commander';
import { findRepository } from '../hub/find-repository.ts';
import { formatBytes } from '../output/format.ts';
import { fieldList, type Cell } from '../output/table.ts';
import { withExample, type CommandContext } from './command-context.ts';

type Details = Answer<'repositories_GetRepositoryDetails'>;

/** A limit, or none. */
type Limit = number | 'none';

interface Limits {
  readonly size?: Limit;
  readonly assets?: Limit;
}

/** `corral repositories quota`. */
export function addRepositoryQuota(repositories: Command, context: CommandContext): void {
  const command = repositories
    .command('quota')
    .description('Shows how much a repository has and may have; administrators set it.')
    .argument('<repository>', 'name or id of the repository')
    .option('--size <size>', 'how many bytes it may have, such as 50GiB, or none', sizeOf)
    .option('--assets <count>', 'how many assets it may have, or none', countOf)
    .action((given: string, limits: Limits) => quota(context, given, limits));
  withExample(
    command,
    'corral repositories quota firmware',
    'corral repositories quota firmware --size 50GiB --assets none',
  );
}

function sizeOf(text: string): Limit {
  if (text === 'none') return text;
  const bytes = readSize(text);
  if (bytes !== undefined) return bytes;
  throw new InvalidArgumentError(
    'It must be a number with KiB, MiB, GiB or TiB, such as 50GiB, and less than 8192 TiB, or none.',
  );
}

function countOf(text: string): Limit {
  if (text === 'none') return text;
  const count = readCount(text);
  if (count !== undefined) return count;
  throw new InvalidArgumentError('It must be a whole number, such as 10000, or none.');
}

async function quota(context: CommandContext, given: string, { size, assets }: Limits): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const repositoryId = await findRepository(hub, given);
  const details = (): Promise<Details> => hub.invoke('repositories_GetRepositoryDetails', { repositoryId });
  let now = await details();
  if (size !== undefined || assets !== undefined) {
    // The action sets both.
    const maxBytes = changed(size, now.maxBytes);
    const maxAssets = changed(assets, now.maxAssets);
    await hub.invoke('repositories_SetQuota', {
      repositoryId,
      ...maxBytesOf(maxBytes),
      ...maxAssetsOf(maxAssets),
    });
    now = await details();
  }
  const { usedBytes, maxBytes, assetCount, maxAssets } = now;
  out.result({ repositoryId, usedBytes, maxBytes, assetCount, maxAssets }, () =>
    fieldList(entriesOf(now), out.style),
  );
}

function changed(wanted: Limit | undefined, before: number | undefined): number | undefined {
  if (wanted === undefined) return before;
  return wanted === 'none' ? undefined : wanted;
}

const maxBytesOf = (maxBytes: number | undefined) => (maxBytes === undefined ? {} : { maxBytes });
const maxAssetsOf = (maxAssets: number | undefined) => (maxAssets === undefined ? {} : { maxAssets });

function entriesOf({ usedBytes, maxBytes, assetCount, maxAssets }: Details): [string, Cell][] {
  const bytes = maxBytes === undefined ? 'no limit' : `of ${formatBytes(maxBytes)}`;
  const assets = maxAssets === undefined ? 'no limit' : `of ${maxAssets}`;
  return [
    ['Size', `${formatBytes(usedBytes)}, ${bytes}`],
    ['Assets', `${assetCount}, ${assets}`],
  ];
}
