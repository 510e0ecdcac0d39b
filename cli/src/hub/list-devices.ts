import { mapConcurrently, readList, type Executor } from '@corral/client';
import { ids, type Id, type Output } from '@corral/contract';
import { CliError, exitCodes } from '../CliError.ts';

type Project = Output<'projects_QueryProjects'>['projects'][number];

/** A device of a project's list, with the project. */
export type ListedDevice = Output<'projects_QueryProjectDevices'>['devices'][number] & {
  readonly projectId: Project['projectId'];
  readonly projectName: string;
};

/** Which devices are listed. */
export interface ChosenDevices {
  /** Only those of this project, by id or name. */
  readonly project?: string;
  readonly filter?: string;
}

/** The devices that the user can access, project by project. */
export async function listDevices(
  hub: Executor,
  { project, ...filter }: ChosenDevices = {},
): Promise<ListedDevice[]> {
  const { projects } = await readList(hub, 'projects_QueryProjects', {});
  const chosen = project === undefined ? projects : [chooseProject(projects, project)];
  const lists = await mapConcurrently(chosen, async ({ projectId, name }) => {
    const { devices } = await readList(hub, 'projects_QueryProjectDevices', { projectId, ...filter });
    return devices.map((device) => ({ ...device, projectId, projectName: name }));
  });
  return lists.flat();
}

function chooseProject<Candidate extends { readonly projectId: string; readonly name: string }>(
  projects: readonly Candidate[],
  given: string,
  among = 'that you can access',
): Candidate {
  const found = projects.filter(({ projectId, name }) => projectId === given || name === given.normalize());
  const [project, ...others] = found;
  if (project === undefined) throw new CliError(`There is no project "${given}" among those ${among}.`);
  if (others.length > 0)
    throw new CliError(
      `${found.length} projects have the name "${given}": give the id of the one that is meant.`,
    );
  return project;
}

/** The id of a project given by id or name. Rejected with a CliError when none or several have that name. */
export async function findProject(hub: Executor, given: string): Promise<Id<'project'>> {
  if (ids.project.schema.safeParse(given).success) return given as Id<'project'>;
  const { projects } = await readList(hub, 'projects_QueryProjects', {});
  return chooseProject(projects, given).projectId;
}

/** The id of the only project of the user. Rejected with a CliError when there are none or several. */
export async function onlyProject(hub: Executor): Promise<Id<'project'>> {
  const { projects } = await readList(hub, 'projects_QueryProjects', {});
  const [project, ...others] = projects;
  if (project === undefined) throw new CliError('There is no project that you can access.');
  if (others.length > 0)
    throw new CliError(
      `You can access ${projects.length} projects: name one with --project, see \`corral projects list\`.`,
      exitCodes.usage,
    );
  return project.projectId;
}

/** The id of a project that reads a repository, given by id or name; for members of the repository also of one that is none of theirs. Rejected with a CliError. */
export async function findLinkedProject(
  hub: Executor,
  repositoryId: Id<'repository'>,
  given: string,
): Promise<Id<'project'>> {
  const { canWrite } = await hub.invoke('repositories_GetRepositoryDetails', { repositoryId });
  if (!canWrite) return findProject(hub, given);
  const { projects } = await readList(hub, 'repositories_QueryRepositoryProjects', { repositoryId });
  return chooseProject(projects, given, 'that the repository is linked to').projectId;
}

/** The name of a project, or its id where the user does not see it. */
export async function projectName(hub: Executor, projectId: Id<'project'>): Promise<string> {
  const { projects } = await readList(hub, 'projects_QueryProjects', {});
  return projects.find((project) => project.projectId === projectId)?.name ?? projectId;
}

/** The project that was given by id or name, or the only one. Rejected with a CliError. */
export function projectOf(hub: Executor, project: string | undefined): Promise<Id<'project'>> {
  return project === undefined ? onlyProject(hub) : findProject(hub, project);
}
