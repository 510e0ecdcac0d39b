import { readList } from '@corral/client';
import type { Output as Answer } from '@corral/contract';
import type { Command } from 'commander';
import { CliError, exitCodes } from '../CliError.ts';
import { findRepository } from '../hub/find-repository.ts';
import { confirm } from '../output/confirm.ts';
import { formatBytes, formatCount, formatTime } from '../output/format.ts';
import { plainText } from '../output/plain-text.ts';
import { fieldList, table, words, type Cell } from '../output/table.ts';
import { withExample, type CommandContext } from './command-context.ts';
import { whoAmI } from './whoami.ts';
import { addRepositoryLinks } from './repository-links.ts';
import { addRepositoryQuota } from './repository-quota.ts';

type Details = Answer<'repositories_GetRepositoryDetails'>;
type Listed = Answer<'users_QueryUserRepositories'>['repositories'][number];

/** `corral repositories …`. */
export function addRepositories(program: Command, context: CommandContext): void {
  const repositories = program.command('repositories').description('Works with software repositories.');
  const listing = repositories
    .command('list')
    .description('Lists the repositories that you are a member of, and those linked to your projects.')
    .action(() => list(context));
  withExample(listing, 'corral repositories list');
  const showing = named(repositories.command('show').description('Shows one repository.')).action(
    (given: string) => show(context, given),
  );
  withExample(showing, 'corral repositories show firmware');
  addCreate(repositories, context);
  addChanges(repositories, context);
  addRepositoryLinks(repositories, context);
  addRepositoryQuota(repositories, context);
}

const named = (command: Command): Command => command.argument('<repository>', 'name or id of the repository');

function addCreate(repositories: Command, context: CommandContext): void {
  const command = repositories
    .command('create')
    .description('Creates a repository, private unless told otherwise.')
    .argument('<name>', 'its name, unique in the hub')
    .option('--public', 'everybody may read it')
    .action((name: string, options: { public?: boolean }) => create(context, name, options.public === true));
  withExample(command, 'corral repositories create firmware');
}

function addChanges(repositories: Command, context: CommandContext): void {
  const renaming = named(repositories.command('rename').description('Renames a repository.'))
    .argument('<name>', 'its new name')
    .action((given: string, name: string) => rename(context, given, name));
  withExample(renaming, 'corral repositories rename firmware press-firmware');
  const visibility = named(
    repositories.command('visibility').description('Makes a repository public or private.'),
  )
    .argument('<visibility>', 'public or private')
    .option('--yes', 'do not ask')
    .action((given: string, to: string, { yes }: { yes?: boolean }) =>
      setVisibility(context, given, to, yes),
    );
  withExample(visibility, 'corral repositories visibility firmware public --yes');
  const deleting = named(
    repositories.command('delete').description('Deletes a repository with all it holds.'),
  )
    .option('--yes', 'do not ask')
    .action((given: string, { yes }: { yes?: boolean }) => remove(context, given, yes));
  withExample(deleting, 'corral repositories delete firmware');
}

async function list(context: CommandContext): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const { userId } = await whoAmI(hub);
  const answer = await readList(hub, 'users_QueryUserRepositories', { userId, includeLinked: true });
  out.result(answer, () => {
    if (answer.repositories.length === 0) return 'You can access no repository yet.';
    const rows = answer.repositories.map((repository): Cell[] => [
      plainText(repository.name),
      repository.visibility,
      roleOf(repository),
      String(repository.packageCount),
      formatBytes(repository.usedBytes),
      { text: repository.repositoryId, paint: out.style.dim },
    ]);
    return table([words('NAME'), 'VISIBILITY', 'YOU ARE', 'PACKAGES', 'SIZE', 'REPOSITORY'], rows, out);
  });
}

function roleOf({ isOwner, isMember }: Listed): string {
  if (isOwner) return 'owner';
  return isMember ? 'member' : 'reader';
}

async function show(context: CommandContext, given: string): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const details = await hub.invoke('repositories_GetRepositoryDetails', {
    repositoryId: await findRepository(hub, given),
  });
  out.result(details, () => fieldList(entriesOf(details, out.style.bold), out.style));
}

function entriesOf(details: Details, bold: (text: string) => string): [string, Cell][] {
  const { name, repositoryId, visibility, packageCount, assetCount, maxAssets, usedBytes, maxBytes } =
    details;
  const assets = maxAssets === undefined ? '' : ` of ${maxAssets}`;
  const bytes = maxBytes === undefined ? '' : ` of ${formatBytes(maxBytes)}`;
  return [
    ['Name', { text: plainText(name), paint: bold }],
    ['Repository', repositoryId],
    ['Visibility', visibility],
    ['Packages', String(packageCount)],
    ['Assets', `${assetCount}${assets}`],
    ['Size', `${formatBytes(usedBytes)}${bytes}`],
    ['Created', formatTime(details.createdAt)],
  ];
}

async function create(context: CommandContext, name: string, isPublic: boolean): Promise<void> {
  const out = context.output();
  const visibility = isPublic ? 'Public' : 'Private';
  const answer = await context.hub().invoke('repositories_CreateRepository', { name, visibility });
  if (answer.result === 'NameAlreadyExists') throw nameTaken(name);
  out.result(answer, () => `${out.style.green('✓')} ${plainText(name)} is created: ${answer.repositoryId}`);
}

const nameTaken = (name: string): CliError =>
  new CliError(`There is a repository "${plainText(name)}" already.`, exitCodes.conflict);

async function rename(context: CommandContext, given: string, name: string): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const repositoryId = await findRepository(hub, given);
  const answer = await hub.invoke('repositories_SetSlug', { repositoryId, slug: name });
  if (answer.result === 'SlugAlreadyExists') throw nameTaken(name);
  out.result(
    { repositoryId, ...answer },
    () => `${out.style.green('✓')} It is called ${plainText(name)} now.`,
  );
}

async function setVisibility(
  context: CommandContext,
  given: string,
  to: string,
  isSure?: boolean,
): Promise<void> {
  const visibility = { public: 'Public', private: 'Private' }[to.toLowerCase()] as
    | 'Public'
    | 'Private'
    | undefined;
  if (visibility === undefined) throw new CliError('The visibility is public or private.', exitCodes.usage);
  const out = context.output();
  const hub = context.hub();
  const repositoryId = await findRepository(hub, given);
  const consequence =
    visibility === 'Public'
      ? 'Everybody will be able to read and download all that is in it, also without signing in.'
      : 'Only members, and members and devices of projects that an owner linked, will be able to read it; public addresses and all other links end.';
  await confirm(context, `${plainText(given)}: ${consequence}`, isSure);
  await hub.invoke('repositories_SetRepositoryVisibility', { repositoryId, visibility });
  out.result(
    { repositoryId, visibility },
    () => `${out.style.green('✓')} ${plainText(given)} is ${to.toLowerCase()}.`,
  );
}

async function remove(context: CommandContext, given: string, isSure?: boolean): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const repositoryId = await findRepository(hub, given);
  const { name, packageCount, usedBytes } = await hub.invoke('repositories_GetRepositoryDetails', {
    repositoryId,
  });
  const what = `${formatCount(packageCount, 'package')} and ${formatBytes(usedBytes)}`;
  await confirm(context, `This deletes the repository ${plainText(name)} with ${what} for good.`, isSure);
  await hub.invoke('repositories_DeleteRepository', { repositoryId });
  out.result({ repositoryId }, () => `${out.style.green('✓')} ${plainText(name)} is deleted.`);
}
