import { readList } from '@corral/client';
import type { Output as Answer } from '@corral/contract';
import type { Command } from 'commander';
import { CliError, exitCodes } from '../CliError.ts';
import { orConflict } from '../hub/conflict.ts';
import { findPackage, findRepository, packagePathOf } from '../hub/find-repository.ts';
import { listVersions, tagsOf } from '../hub/package-tags.ts';
import { confirm } from '../output/confirm.ts';
import { formatAge, formatBytes, formatCount, formatTime } from '../output/format.ts';
import { plainText } from '../output/plain-text.ts';
import { fieldList, table, words, type Cell } from '../output/table.ts';
import { withExample, type CommandContext } from './command-context.ts';
import { addSetMetadata } from './metadata.ts';
import { addPackageFiles } from './package-files.ts';
import { addTagHistory } from './tag-history.ts';

type Details = Answer<'repositories_GetPackageDetails'>;

/** `corral packages …`. */
export function addPackages(program: Command, context: CommandContext): void {
  const packages = program.command('packages').description('Works with the packages of repositories.');
  const listing = packages
    .command('list')
    .description('Lists the packages of a repository.')
    .argument('<repository>', 'name or id of the repository')
    .action((repository: string) => list(context, repository));
  withExample(listing, 'corral packages list firmware');
  const showing = named(packages.command('show').description('Shows one package.')).action((given: string) =>
    show(context, given),
  );
  withExample(showing, 'corral packages show firmware/press');
  addChanges(packages, context);
  addSetMetadata(packages, context, named, async (given, metadata) => {
    const hub = context.hub();
    const packageId = await findPackage(hub, given);
    await hub.invoke('repositories_SetPackageMetadata', { packageId, metadata });
    return { packageId, metadata };
  });
  addTagHistory(packages, context);
  addPackageFiles(packages, context);
}

const named = (command: Command): Command =>
  command.argument('<package>', 'repository/package, or the id of the package');

function addChanges(packages: Command, context: CommandContext): void {
  const creating = packages
    .command('create')
    .description('Creates a package.')
    .argument('<package>', 'repository/package')
    .option('--kind <kind>', 'any word, such as what installs it')
    .action((given: string, { kind }: { kind?: string }) => create(context, given, kind));
  withExample(creating, 'corral packages create firmware/press --kind rugix');
  const renaming = named(packages.command('rename').description('Renames a package.'))
    .argument('<name>', 'its new name')
    .action((given: string, name: string) => rename(context, given, name));
  withExample(renaming, 'corral packages rename firmware/press press-controller');
  const deleting = named(
    packages.command('delete').description('Deletes a package with its versions; not while a tag is locked.'),
  )
    .option('--yes', 'do not ask')
    .action((given: string, { yes }: { yes?: boolean }) => remove(context, given, yes));
  withExample(deleting, 'corral packages delete firmware/press');
}

async function list(context: CommandContext, repository: string): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const repositoryId = await findRepository(hub, repository);
  const answer = await readList(hub, 'repositories_QueryRepositoryPackages', { repositoryId });
  out.result(answer, () => {
    if (answer.packages.length === 0) return 'The repository has no packages yet.';
    const rows = answer.packages.map(({ name, kind, versionCount, newestVersion, packageId }): Cell[] => [
      plainText(name),
      plainText(kind ?? ''),
      String(versionCount),
      newestVersion === undefined ? '' : plainText(newestVersion.name ?? newestVersion.versionId),
      newestVersion === undefined ? '' : formatAge(newestVersion.createdAt, hub.nowMs()),
      { text: packageId, paint: out.style.dim },
    ]);
    return table(
      [words('NAME'), words('KIND'), 'VERSIONS', words('NEWEST'), 'CREATED', 'PACKAGE'],
      rows,
      out,
    );
  });
}

async function show(context: CommandContext, given: string): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const details = await hub.invoke('repositories_GetPackageDetails', {
    packageId: await findPackage(hub, given),
  });
  out.result(details, () => fieldList(entriesOf(details, out.style.bold), out.style));
}

function entriesOf(details: Details, bold: (text: string) => string): [string, Cell | Cell[]][] {
  const { name, packageId, kind, versionCount, createdAt, metadata, assets } = details;
  const facts = Object.entries(metadata).map(([key, value]) =>
    plainText(`${key} = ${JSON.stringify(value)}`),
  );
  const files = assets.map(({ filename, size }) => `${plainText(filename)}, ${formatBytes(size)}`);
  return [
    ['Name', { text: plainText(name), paint: bold }],
    ['Package', packageId],
    ['Kind', plainText(kind ?? 'none')],
    ['Versions', String(versionCount)],
    ['Created', formatTime(createdAt)],
    ['Metadata', facts.length === 0 ? 'none' : facts],
    ['Files', files.length === 0 ? 'none' : files],
  ];
}

async function create(context: CommandContext, given: string, kind: string | undefined): Promise<void> {
  const path = packagePathOf(given);
  const out = context.output();
  const hub = context.hub();
  const repositoryId = await findRepository(hub, path.repository);
  const input = { repositoryId, name: path.package, ...(kind === undefined ? {} : { kind }) };
  const answer = await hub.invoke('repositories_CreatePackage', input);
  if (answer.result === 'NameAlreadyExists') throw nameTaken(path.package);
  out.result(answer, () => `${out.style.green('✓')} ${plainText(given)} is created: ${answer.packageId}`);
}

const nameTaken = (name: string): CliError =>
  new CliError(`There is a package "${plainText(name)}" in the repository already.`, exitCodes.conflict);

async function rename(context: CommandContext, given: string, name: string): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const packageId = await findPackage(hub, given);
  const { result } = await hub.invoke('repositories_SetPackageName', { packageId, name });
  if (result === 'NameAlreadyExists') throw nameTaken(name);
  out.result({ packageId, result }, () => `${out.style.green('✓')} It is called ${plainText(name)} now.`);
}

async function remove(context: CommandContext, given: string, isSure?: boolean): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const packageId = await findPackage(hub, given);
  const { name, versionCount } = await hub.invoke('repositories_GetPackageDetails', { packageId });
  const what = formatCount(versionCount, 'version');
  await confirm(context, `This deletes the package ${plainText(name)} with ${what} for good.`, isSure);
  await orConflict(hub.invoke('repositories_DeletePackage', { packageId }), async () =>
    [...tagsOf(await listVersions(hub, packageId)).values()].some(({ locked }) => locked),
  );
  out.result({ packageId }, () => `${out.style.green('✓')} ${plainText(name)} is deleted.`);
}
