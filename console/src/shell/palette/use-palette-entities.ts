import { compareNames, type Id } from '@corral/contract';
import { keepPreviousData, type QueryClient, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { userProjectsQuery, userQuery } from '../../data/queries-account.ts';
import { firstDevices, projectDevicesQuery, savedViewsQuery } from '../../data/queries-projects.ts';
import { repositoryPackagesQuery, userRepositoriesQuery } from '../../data/queries-repositories.ts';
import type { ListedDevice } from '../../parts/listed-device.ts';
import { lastProject } from '../../parts/recent-items.ts';
import { usePinnedProjects } from '../../parts/pinned-projects.ts';
import type { ProjectSummary } from '../../parts/project-order.ts';
import type { SavedView } from '../../parts/saved-view.ts';
import { useDebounced } from '../../parts/use-debounced.ts';
import { rowsPerPage } from '../../parts/list-limits.ts';
import { wordsOf } from './rank.ts';
import type { FoundPackage, FoundRepository } from './repository-entries.tsx';

/** The devices of one project. */
export type DevicesOfProject = { project: ProjectSummary; devices: readonly ListedDevice[] };

/** The projects and devices that the palette searches. */
export type PaletteEntities = {
  isAdmin: boolean;
  /** Pinned ones first, else by name. */
  projects: readonly ProjectSummary[];
  /** The open project, or the last one that was open. */
  current: ProjectSummary | undefined;
  own: readonly ListedDevice[];
  /** Whether it has more devices than these. */
  hasMoreOwn: boolean;
  /** The saved views of its devices. */
  views: readonly SavedView[];
  others: readonly DevicesOfProject[];
  repositories: readonly FoundRepository[];
  /** The open repository. */
  repository: FoundRepository | undefined;
  /** Its packages. */
  packages: readonly FoundPackage[];
};

// The total number of devices of other projects that are read for a search; larger projects are searched only when open.
const maxOtherDevices = 2000;
const staleMs = 30_000;
const maxFound = 50;
const maxSearchedCharacters = 100;
const noDevices: readonly ListedDevice[] = [];
const noPackages: readonly FoundPackage[] = [];
const noRepositories: readonly FoundRepository[] = [];

/** The ids in the address of the page. */
export type OpenIds = { projectId?: string | undefined; repositoryId?: string | undefined };

/** Reads the searchable entities, from the cache if possible; devices of other projects, and what a large project or repository has beyond the first, only once the user has typed. */
export function usePaletteEntities(
  userId: Id<'user'>,
  { projectId: openProjectId, repositoryId }: OpenIds,
  text: string,
): PaletteEntities {
  const isTyped = text !== '';
  const { data: user } = useQuery(userQuery(userId));
  const { data: mine } = useQuery(userProjectsQuery(userId));
  const { pinned } = usePinnedProjects();
  const projects = useMemo(
    () =>
      [...(mine?.projects ?? [])].sort(
        (one, other) =>
          Number(pinned.has(other.projectId)) - Number(pinned.has(one.projectId)) ||
          compareNames(one.name, other.name),
      ),
    [mine, pinned],
  );
  const currentId = openProjectId ?? lastProject(userId);
  const current = projects.find(({ projectId }) => projectId === currentId);
  const typed = useDebounced(text);
  const { own, hasMoreOwn } = useOwnDevices(current, typed);
  const searchable = useMemo(() => searchableProjects(projects, current), [projects, current]);
  const { data: others } = useQuery({
    queryKey: ['palette', searchable.map(({ projectId }) => projectId).join(' ')],
    queryFn: ({ client }) => Promise.all(searchable.map((project) => devicesOf(client, project))),
    enabled: isTyped && searchable.length > 0,
    staleTime: staleMs,
  });
  const { data: readable } = useQuery(userRepositoriesQuery(userId));
  const repositories = readable?.repositories ?? noRepositories;
  const repository = repositories.find((one) => one.repositoryId === repositoryId);
  return {
    isAdmin: user?.isAdmin === true,
    projects,
    current,
    own,
    hasMoreOwn,
    views: useSavedViews(current),
    others: others ?? [],
    repositories,
    repository,
    packages: useOpenPackages(repository, typed),
  };
}

function useSavedViews(current: ProjectSummary | undefined): readonly SavedView[] {
  const projectId = (current?.projectId ?? '') as Id<'project'>;
  return useQuery({ ...savedViewsQuery(projectId), enabled: current !== undefined }).data?.views ?? [];
}

/** The devices of the open project: the first ones, and of a large project those that the hub finds. */
function useOwnDevices(
  current: ProjectSummary | undefined,
  typed: string,
): Pick<PaletteEntities, 'own' | 'hasMoreOwn'> {
  const projectId = (current?.projectId ?? '') as Id<'project'>;
  const { data } = useQuery({ ...projectDevicesQuery(projectId), enabled: current !== undefined });
  const first = data?.devices ?? noDevices;
  const hasMoreOwn = first.length >= firstDevices;
  const found = useQuery({
    ...projectDevicesQuery(projectId, { filter: filterFor(typed), limit: maxFound }),
    enabled: hasMoreOwn && typed !== '',
    placeholderData: keepPreviousData,
  }).data?.devices;
  const own = useMemo(() => withFound(first, found, ({ deviceId }) => deviceId), [first, found]);
  return { own, hasMoreOwn };
}

/** The packages of the open repository: the first ones, and of a large repository those that the hub finds. */
function useOpenPackages(repository: FoundRepository | undefined, typed: string): readonly FoundPackage[] {
  const repositoryId = (repository?.repositoryId ?? '') as Id<'repository'>;
  const { data } = useQuery({
    ...repositoryPackagesQuery(repositoryId, rowsPerPage),
    enabled: repository !== undefined,
  });
  const first = data?.packages ?? noPackages;
  // The hub looks for one text; the palette then looks for every word.
  const [search = ''] = wordsOf(typed.slice(0, maxSearchedCharacters)).sort(
    (one, other) => other.length - one.length,
  );
  const found = useQuery({
    ...repositoryPackagesQuery(repositoryId, maxFound, { search }),
    enabled: data?.next !== undefined && search !== '',
    placeholderData: keepPreviousData,
  }).data?.packages;
  return useMemo(() => withFound(first, found, ({ packageId }) => packageId), [first, found]);
}

/** The first entities of a list with those that the hub found, each once. */
function withFound<Entity>(
  first: readonly Entity[],
  found: readonly Entity[] | undefined,
  idOf: (entity: Entity) => string,
): readonly Entity[] {
  if (found === undefined) return first;
  const known = new Set(first.map(idOf));
  return [...first, ...found.filter((entity) => !known.has(idOf(entity)))];
}

/** A filter that searches for each word, with any characters. */
function filterFor(text: string): string {
  const words = text
    .slice(0, maxSearchedCharacters)
    .split(/\s+/u)
    .filter((word) => word !== '');
  return words.map((word) => `"${word.replaceAll(/["\\]/gu, '\\$&')}"`).join(' ');
}

// The smallest first, so that one large project does not exclude many small ones.
function searchableProjects(
  projects: readonly ProjectSummary[],
  current: ProjectSummary | undefined,
): ProjectSummary[] {
  let left = maxOtherDevices;
  return projects
    .filter(({ devices, projectId }) => devices > 0 && projectId !== current?.projectId)
    .sort((one, other) => one.devices - other.devices)
    .filter(({ devices }) => {
      left -= devices;
      return left >= 0;
    });
}

async function devicesOf(client: QueryClient, project: ProjectSummary): Promise<DevicesOfProject> {
  const query = projectDevicesQuery(project.projectId as Id<'project'>);
  // A project that cannot be read does not exclude the others.
  const { devices } = await client.fetchQuery(query).catch(() => ({ devices: noDevices }));
  return { project, devices };
}
