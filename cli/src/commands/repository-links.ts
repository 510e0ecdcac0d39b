import { readList } from '@corral/client';
import type { Command } from 'commander';
import { findLinkedProject, findProject } from '../hub/list-devices.ts';
import { findRepository } from '../hub/find-repository.ts';
import { plainText } from '../output/plain-text.ts';
import { table, words } from '../output/table.ts';
import { withExample, type CommandContext } from './command-context.ts';

/** `corral repositories projects`, `link` and `unlink`. */
export function addRepositoryLinks(repositories: Command, context: CommandContext): void {
  const listing = repositories
    .command('projects')
    .description('Lists the projects whose members and devices may read a repository.')
    .argument('<repository>', 'name or id of the repository')
    .action((given: string) => projects(context, given));
  withExample(listing, 'corral repositories projects firmware');
  const linking = linked(
    repositories
      .command('link')
      .description(
        'Lets the members and devices of a project read a repository. A private one is linked by its owners.',
      ),
  ).action((given: string, project: string) => link(context, given, project));
  withExample(linking, 'corral repositories link firmware Plant');
  const unlinking = linked(
    repositories
      .command('unlink')
      .description('Ends that, for members of the project and owners of the repository.'),
  ).action((given: string, project: string) => unlink(context, given, project));
  withExample(unlinking, 'corral repositories unlink firmware Plant');
}

const linked = (command: Command): Command =>
  command
    .argument('<repository>', 'name or id of the repository')
    .argument('<project>', 'name or id of the project');

async function projects(context: CommandContext, given: string): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const repositoryId = await findRepository(hub, given);
  const answer = await readList(hub, 'repositories_QueryRepositoryProjects', { repositoryId });
  out.result(answer, () => {
    if (answer.projects.length === 0) return 'The repository is linked to no project.';
    const rows = answer.projects.map(({ name, devices, projectId }) => [
      plainText(name),
      String(devices),
      { text: projectId, paint: out.style.dim },
    ]);
    return table([words('PROJECT'), 'DEVICES', 'ID'], rows, out);
  });
}

async function link(context: CommandContext, given: string, project: string): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const input = {
    repositoryId: await findRepository(hub, given),
    projectId: await findProject(hub, project),
  };
  await hub.invoke('projects_AddProjectRepository', input);
  out.result(
    input,
    () => `${out.style.green('✓')} The devices of ${plainText(project)} may read ${plainText(given)}.`,
  );
}

async function unlink(context: CommandContext, given: string, project: string): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const repositoryId = await findRepository(hub, given);
  const input = { repositoryId, projectId: await findLinkedProject(hub, repositoryId, project) };
  await hub.invoke('projects_RemoveProjectRepository', input);
  out.result(
    input,
    () => `${out.style.green('✓')} ${plainText(given)} is no longer linked to ${plainText(project)}.`,
  );
}
