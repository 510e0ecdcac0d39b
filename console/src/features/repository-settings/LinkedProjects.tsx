import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { repositoryProjectsQuery } from '../../data/queries-repositories.ts';
import { repositorySettingsCopy as words } from './copy.ts';

/** Who loses access with the repository: the linked projects and their devices. */
export function LinkedProjects({ repositoryId }: { repositoryId: string }) {
  const { data } = useQuery(repositoryProjectsQuery(repositoryId as Id<'repository'>));
  const projects = data?.projects ?? [];
  if (projects.length === 0) return null;
  const devices = projects.reduce((sum, project) => sum + project.devices, 0);
  const names = projects.map(({ name }) => name);
  return <p className="mt-2">{words.linked(words.and(names), devices)}</p>;
}
