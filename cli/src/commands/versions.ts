import { readList } from '@corral/client';
import type { Output as Answer } from '@corral/contract';
import type { Command } from 'commander';
import { orConflict } from '../hub/conflict.ts';
import { findPackage, findVersion, versionHelp } from '../hub/find-repository.ts';
import { confirm } from '../output/confirm.ts';
import { formatAge, formatBytes, formatCount, formatTime } from '../output/format.ts';
import { plainText } from '../output/plain-text.ts';
import type { Style } from '../output/style.ts';
import { fieldList, table, words, type Cell } from '../output/table.ts';
import { wholeNumber } from './arguments.ts';
import { withExample, type CommandContext } from './command-context.ts';
import { addSetMetadata } from './metadata.ts';
import { addVersionComparison } from './version-comparison.ts';
import { addVersionFiles } from './version-files.ts';
import { addVersionTags } from './version-tags.ts';

type Details = Answer<'repositories_GetPackageVersionDetails'>;
type Tag = Details['tags'][number];

/** `corral versions …`. */
export function addVersions(program: Command, context: CommandContext): void {
  const versions = program.command('versions').description('Works with the versions of packages.');
  const listing = versions
    .command('list')
    .description('Lists the versions of a package, newest first.')
    .argument('<package>', 'repository/package, or the id of the package')
    .option('--limit <count>', 'how many', wholeNumber(1, 100_000), 100)
    .action((given: string, { limit }: { limit: number }) => list(context, given, limit));
  withExample(listing, 'corral versions list firmware/press');
  const showing = named(
    versions.command('show').description('Shows a version with its files and tags.'),
  ).action((given: string) => show(context, given));
  withExample(
    showing,
    'corral versions show firmware/press@stable',
    'corral versions show firmware/press@stable~1',
  );
  addChanges(versions, context);
  addSetMetadata(versions, context, named, async (given, metadata) => {
    const hub = context.hub();
    const versionId = await findVersion(hub, given);
    await hub.invoke('repositories_SetVersionMetadata', { versionId, metadata });
    return { versionId, metadata };
  });
  addVersionTags(versions, context);
  addVersionComparison(versions, context);
  addVersionFiles(versions, context);
}

const named = (command: Command): Command => command.argument('<version>', versionHelp);

function addChanges(versions: Command, context: CommandContext): void {
  const creating = versions
    .command('create')
    .description('Creates an empty version. `corral publish` creates one with files and tags in one step.')
    .argument('<package>', 'repository/package, or the id of the package')
    .option('--name <name>', 'the name of the version')
    .action((given: string, { name }: { name?: string }) => create(context, given, name));
  withExample(creating, 'corral versions create firmware/press --name 1.4.0');
  const renaming = named(versions.command('rename').description('Renames a version.'))
    .argument('[name]', 'its new name; without it the version has none')
    .action((given: string, name: string | undefined) => rename(context, given, name));
  withExample(renaming, 'corral versions rename firmware/press@stable 1.4.0');
  const deleting = named(
    versions.command('delete').description('Deletes a version; not while a locked tag points at it.'),
  )
    .option('--yes', 'do not ask')
    .action((given: string, { yes }: { yes?: boolean }) => remove(context, given, yes));
  withExample(deleting, 'corral versions delete firmware/press@1.3.0');
}

async function list(context: CommandContext, given: string, limit: number): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const packageId = await findPackage(hub, given);
  const answer = await readList(hub, 'repositories_QueryPackageVersions', { packageId, limit });
  out.result(answer, () => {
    if (answer.versions.length === 0) return 'The package has no versions yet.';
    const rows = answer.versions.map(({ name, createdAt, tags, versionId }): Cell[] => [
      name === undefined ? { text: 'unnamed', paint: out.style.dim } : plainText(name),
      formatAge(createdAt, hub.nowMs()),
      tagsText(tags),
      { text: versionId, paint: out.style.dim },
    ]);
    return table([words('NAME'), 'CREATED', words('TAGS'), 'VERSION'], rows, out);
  });
}

/** Tags in one line; locked ones are marked. */
function tagsText(tags: readonly Tag[]): string {
  return tags.map(({ tag, locked }) => `${plainText(tag)}${locked ? ' (locked)' : ''}`).join(', ');
}

async function show(context: CommandContext, given: string): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const details = await hub.invoke('repositories_GetPackageVersionDetails', {
    versionId: await findVersion(hub, given),
  });
  out.result(details, () => fieldList(entriesOf(details, out.style), out.style));
}

function entriesOf(details: Details, style: Style): [string, Cell | Cell[]][] {
  const { name, versionId, packageName, packageId, createdAt, tags, metadata, assets } = details;
  const facts = Object.entries(metadata).map(([key, value]) =>
    plainText(`${key} = ${JSON.stringify(value)}`),
  );
  const files = assets.map(({ filename, size, digest, status }): Cell => {
    const isThere = status === 'Available';
    const text = `${plainText(filename)}, ${formatBytes(size)}, ${digest}${isThere ? '' : ', not uploaded yet'}`;
    return { text, paint: isThere ? (plain) => plain : style.yellow };
  });
  return [
    ['Name', { text: plainText(name ?? 'unnamed'), paint: name === undefined ? style.dim : style.bold }],
    ['Version', versionId],
    ['Package', `${plainText(packageName)}, ${packageId}`],
    ['Created', formatTime(createdAt)],
    ['Tags', tags.length === 0 ? 'none' : tagsText(tags)],
    ['Metadata', facts.length === 0 ? 'none' : facts],
    ['Files', files.length === 0 ? 'none' : files],
  ];
}

async function create(context: CommandContext, given: string, name: string | undefined): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const packageId = await findPackage(hub, given);
  const input = { packageId, tags: [], ...(name === undefined ? {} : { name }) };
  const answer = await hub.invoke('repositories_CreatePackageVersion', input);
  out.result(answer, () => `${out.style.green('✓')} The version is created: ${answer.versionId}`);
}

async function rename(context: CommandContext, given: string, name: string | undefined): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const versionId = await findVersion(hub, given);
  await hub.invoke('repositories_SetVersionName', { versionId, ...(name === undefined ? {} : { name }) });
  const called = name === undefined ? 'has no name' : `is called ${plainText(name)}`;
  out.result({ versionId }, () => `${out.style.green('✓')} It ${called} now.`);
}

async function remove(context: CommandContext, given: string, isSure?: boolean): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const versionId = await findVersion(hub, given);
  const { name, tags, assets } = await hub.invoke('repositories_GetPackageVersionDetails', { versionId });
  const what = `${formatCount(assets.length, 'file')} and ${formatCount(tags.length, 'tag')}`;
  await confirm(
    context,
    `This deletes the version ${plainText(name ?? versionId)} with ${what} for good.`,
    isSure,
  );
  const isLocked = tags.some(({ locked }) => locked);
  await orConflict(hub.invoke('repositories_DeletePackageVersion', { versionId }), async () => isLocked);
  out.result({ versionId }, () => `${out.style.green('✓')} ${plainText(name ?? versionId)} is deleted.`);
}
