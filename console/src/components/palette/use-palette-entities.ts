import type { Id } from '@corral/contract';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { userProjectsQuery, userQuery } from '../../data/queries-account.ts';
import { projectDevicesQuery } from '../../data/queries-projects.ts';
import type { ListedDevice } from '../devices/device-view.ts';
import { usePinnedProjects } from '../pinned-projects.ts';
import type { ProjectSummary } from '../project-order.ts';
import { lastProject } from './last-project.ts';

/** The devices of one project. */
export type DevicesOfProject = { project: ProjectSummary; devices: readonly ListedDevice[] };

/** What the palette knows of the user's things. */
export type PaletteEntities = {
  isAdmin: boolean;
  /** Pinned ones first, else by name. */
  projects: readonly ProjectSummary[];
  /** The project that is open, or was open last. */
  current: ProjectSummary | undefined;
  own: readonly ListedDevice[];
  others: readonly DevicesOfProject[];
};

// Lists of more devices than this are not read for a search from elsewhere; open the project to search it.
const readUpTo = 2000;
const staleMs = 30_000;
const noDevices: readonly ListedDevice[] = [];

/** Reads what can be found, from the cache where it is there; other projects' devices only once something is typed. */
export function usePaletteEntities(
  userId: Id<'user'>,
  openProjectId: string | undefined,
  isTyped: boolean,
): PaletteEntities {
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
  const currentId = openProjectId ?? lastProject();
  const current = projects.find(({ projectId }) => projectId === currentId);
  const { data: own } = useQuery({
    ...projectDevicesQuery((current?.projectId ?? '') as Id<'project'>),
    enabled: current !== undefined,
  });
  const elsewhere = useMemo(() => readable(projects, current), [projects, current]);
  const { data: others } = useQuery({
    queryKey: ['palette', elsewhere.map(({ projectId }) => projectId).join(' ')],
    queryFn: ({ client }) => Promise.all(elsewhere.map((project) => devicesOf(client, project))),
    enabled: isTyped && elsewhere.length > 0,
    staleTime: staleMs,
  });
  return {
    isAdmin: user?.isAdmin === true,
    projects,
    current,
    own: own?.devices ?? noDevices,
    others: others ?? [],
  };
}

// The smallest first, so that one great project does not hide many small ones.
function readable(
  projects: readonly ProjectSummary[],
  current: ProjectSummary | undefined,
): ProjectSummary[] {
  let left = readUpTo;
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
  // One project that cannot be read does not hide the others.
  const { devices } = await client.fetchQuery(query).catch(() => ({ devices: noDevices }));
  return { project, devices };
}
