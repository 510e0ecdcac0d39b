import { readList } from '@corral/client';
import { digestFile, downloadAsset } from '@corral/client/node';
import type { Output as Answer } from '@corral/contract';
import type { Command } from 'commander';
import { CliError, exitCodes } from '../CliError.ts';
import { orConflict } from '../hub/conflict.ts';
import { assetIdOf, findRepository } from '../hub/find-repository.ts';
import { confirm } from '../output/confirm.ts';
import { formatAge, formatBytes, formatTime } from '../output/format.ts';
import { plainText } from '../output/plain-text.ts';
import type { Style } from '../output/style.ts';
import { fieldList, table, type Cell } from '../output/table.ts';
import { repeated, wholeNumber } from './arguments.ts';
import { stateOf } from './asset-state.ts';
import { withExample, type CommandContext } from './command-context.ts';
import { withTransfers } from './transfers.ts';
import { uploadFiles } from './upload-files.ts';

type Details = Answer<'repositories_GetAssetDetails'>;
type Reference = Answer<'repositories_QueryAssetReferences'>['references'][number];

/** `corral assets …`. */
export function addAssets(program: Command, context: CommandContext): void {
  const assets = program
    .command('assets')
    .description(
      'Works with assets: bytes in a repository, known by their digest, which files of versions refer to.',
    );
  const listing = assets
    .command('list')
    .description('Lists the assets of a repository, newest first.')
    .argument('<repository>', 'name or id of the repository')
    .option('--limit <count>', 'how many', wholeNumber(1, 1_000_000), 100)
    .action((given: string, { limit }: { limit: number }) => list(context, given, limit));
  withExample(listing, 'corral assets list firmware');
  const showing = named(
    assets.command('show').description('Shows an asset and the files that refer to it.'),
  ).action((asset: string) => show(context, asset));
  withExample(showing, 'corral assets show repo_a_…');
  addTransfers(assets, context);
  const deleting = named(assets.command('delete').description('Deletes an asset that no file refers to.'))
    .option('--yes', 'do not ask')
    .action((asset: string, { yes }: { yes?: boolean }) => remove(context, asset, yes));
  withExample(deleting, 'corral assets delete repo_a_…');
}

const named = (command: Command): Command => command.argument('<asset>', 'the id of the asset');

function addTransfers(assets: Command, context: CommandContext): void {
  const uploading = assets
    .command('upload')
    .description('Uploads files without a version; what no version refers to within a day is deleted.')
    .argument('<repository>', 'name or id of the repository')
    .argument('<files...>', 'paths of files')
    .action((given: string, files: string[]) => upload(context, given, files));
  withExample(uploading, 'corral assets upload firmware press.img');
  const downloading = named(assets.command('download').description('Downloads an asset and verifies it.'))
    .argument('<path>', 'the file to write')
    .option('--from <file>', 'take what is equal from this file; may be repeated', repeated, [])
    .action((asset: string, path: string, { from }: { from: string[] }) =>
      download(context, asset, path, from),
    );
  withExample(downloading, 'corral assets download repo_a_… press.img');
  const verifying = named(
    assets.command('verify').description('Compares a local file with an asset by its digest.'),
  )
    .argument('<path>', 'the file')
    .action((asset: string, path: string) => verify(context, asset, path));
  withExample(verifying, 'corral assets verify repo_a_… press.img');
}

async function list(context: CommandContext, given: string, limit: number): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const repositoryId = await findRepository(hub, given);
  const answer = await readList(hub, 'repositories_QueryRepositoryAssets', { repositoryId, limit });
  out.result(answer, () => {
    if (answer.assets.length === 0) return 'The repository has no assets yet.';
    const rows = answer.assets.map((asset): Cell[] => [
      formatAge(asset.createdAt, hub.nowMs()),
      formatBytes(asset.size),
      stateOf(asset, out.style),
      String(asset.referenceCount),
      asset.assetId,
      { text: asset.digest, paint: out.style.dim },
    ]);
    return table(['CREATED', 'SIZE', 'STATE', 'FILES', 'ASSET', 'DIGEST'], rows, out);
  });
}

async function show(context: CommandContext, asset: string): Promise<void> {
  const assetId = assetIdOf(asset);
  const out = context.output();
  const hub = context.hub();
  const details = await hub.invoke('repositories_GetAssetDetails', { assetId });
  const { references } = await readList(hub, 'repositories_QueryAssetReferences', { assetId });
  out.result({ ...details, references }, () =>
    fieldList(entriesOf(details, references, out.style), out.style),
  );
}

function entriesOf(
  details: Details,
  references: readonly Reference[],
  style: Style,
): [string, Cell | Cell[]][] {
  const { assetId, size, digest, createdAt, storage } = details;
  const files = references.map(({ packageName, versionName, versionId, filename }) =>
    plainText(`${filename} of ${packageName} ${versionName ?? versionId ?? ''}`),
  );
  const checked = storage?.checkedAt === undefined ? '' : `, ${formatTime(storage.checkedAt)}`;
  return [
    ['Asset', assetId],
    ['Digest', digest],
    ['Size', `${formatBytes(size)}, ${size} bytes`],
    ['State', stateOf(details, style)],
    [
      'Store',
      storage === undefined ? 'unknown' : plainText(`${storage.status}${checked} ${storage.detail ?? ''}`),
    ],
    ['Created', formatTime(createdAt)],
    ['Files', files.length === 0 ? 'none' : files],
  ];
}

async function upload(context: CommandContext, given: string, paths: string[]): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const repositoryId = await findRepository(hub, given);
  const files = await uploadFiles(context, hub, { repositoryId, paths });
  out.result({ repositoryId, files }, () =>
    files
      .map(({ path, status, assetId }) => `${out.style.green('✓')} ${plainText(path)}: ${status}, ${assetId}`)
      .join('\n'),
  );
}

async function download(
  context: CommandContext,
  asset: string,
  target: string,
  from: string[],
): Promise<void> {
  const assetId = assetIdOf(asset);
  const out = context.output();
  const hub = context.hub();
  const { size: sizeBytes, digest } = await hub.invoke('repositories_GetAssetDetails', { assetId });
  const outcome = await withTransfers(context, hub, ({ http, signal, view }) => {
    const { onProgress, onRetry } = view.start(target);
    return downloadAsset(
      { assetId, sizeBytes, digest },
      { executor: hub, http, target, from, signal, onProgress, onRetry },
    );
  });
  out.result(
    { assetId, sizeBytes, digest, ...outcome },
    () => `${out.style.green('✓')} ${plainText(target)}`,
  );
}

async function verify(context: CommandContext, asset: string, path: string): Promise<void> {
  const assetId = assetIdOf(asset);
  const out = context.output();
  const details = await context.hub().invoke('repositories_GetAssetDetails', { assetId });
  const { digest } = await digestFile(path);
  if (digest !== details.digest)
    throw new CliError(
      `${plainText(path)} has the digest ${digest}, the asset ${details.digest}.`,
      exitCodes.damaged,
    );
  out.result({ assetId, path, digest }, () => `${out.style.green('✓')} ${plainText(path)} is the asset.`);
}

async function remove(context: CommandContext, asset: string, isSure?: boolean): Promise<void> {
  const assetId = assetIdOf(asset);
  const out = context.output();
  const hub = context.hub();
  const { size, referenceCount } = await hub.invoke('repositories_GetAssetDetails', { assetId });
  await confirm(context, `This deletes the asset of ${formatBytes(size)} for good.`, isSure);
  await orConflict(hub.invoke('repositories_DeleteAsset', { assetId }), async () => referenceCount > 0);
  out.result({ assetId }, () => `${out.style.green('✓')} The asset is deleted.`);
}
