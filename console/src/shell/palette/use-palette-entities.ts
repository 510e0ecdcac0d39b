import type { Id } from '@corral/contract';
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
const noRepositories: readonly FoundRepository[] = [];

/** The ids in the address of the page. */
export type OpenIds = { projectId?: string | undefined; repositoryId?: string | undefined };

/** Reads the searchable entities, from the cache if possible; devices of other projects, and of a large one beyond the first, only once the user has typed. */
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
          one.name.localeCompare(other.name),
      ),
    [mine, pinned],
  );
  const currentId = openProjectId ?? lastProject(userId);
  const current = projects.find(({ projectId }) => projectId === currentId);
  const own = useOwnDevices(current, text);
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
  const { data: listed } = useQuery({
    ...repositoryPackagesQuery((repositoryId ?? '') as Id<'repository'>, rowsPerPage),
    enabled: repository !== undefined,
  });
  return {
    isAdmin: user?.isAdmin === true,
    projects,
    current,
    own,
    views: useSavedViews(current),
    others: others ?? [],
    repositories,
    repository,
    packages: listed?.packages ?? [],
  };
}

function useSavedViews(current: ProjectSummary | undefined): readonly SavedView[] {
  const projectId = (current?.projectId ?? '') as Id<'project'>;
  return useQuery({ ...savedViewsQuery(projectId), enabled: current !== undefined }).data?.views ?? [];
}

/** The devices of the open project: the first ones, and of a large project those that the hub finds. */
function useOwnDevices(current: ProjectSummary | undefined, text: string): readonly ListedDevice[] {
  const projectId = (current?.projectId ?? '') as Id<'project'>;
  const typed = useDebounced(text);
  const { data } = useQuery({ ...projectDevicesQuery(projectId), enabled: current !== undefined });
  const first = data?.devices ?? noDevices;
  const found = useQuery({
    ...projectDevicesQuery(projectId, { filter: filterFor(typed), limit: maxFound }),
    enabled: first.length >= firstDevices && typed !== '',
    placeholderData: keepPreviousData,
  }).data?.devices;
  return useMemo(() => {
    if (found === undefined) return first;
    const known = new Set(first.map(({ deviceId }) => deviceId));
    return [...first, ...found.filter(({ deviceId }) => !known.has(deviceId))];
  }, [first, found]);
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
