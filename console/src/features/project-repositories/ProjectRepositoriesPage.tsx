import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { useRun } from '../../data/action-mutation.ts';
import { userQuery } from '../../data/queries-account.ts';
import { projectQuery } from '../../data/queries-projects.ts';
import { projectRepositoriesQuery, userRepositoriesQuery } from '../../data/queries-repositories.ts';
import { useLoadedQuery } from '../../data/use-loaded-query.ts';
import { ResourceListPage } from '../../parts/ResourceListPage.tsx';
import { queryRows } from '../../parts/row-source.ts';
import { projectRepositoriesCopy as words } from './copy.ts';
import { LinkRepository } from './LinkRepository.tsx';
import { linkedColumns, repositoryLink } from './linked-columns.tsx';
import type { LinkedRepository } from './mutations.ts';

/** The repositories that the devices of a project can read. */
export function ProjectRepositoriesPage(props: { userId: Id<'user'>; projectId: Id<'project'> }) {
  const { userId, projectId } = props;
  const { deviceCount } = useLoadedQuery(projectQuery(projectId)).data;
  const navigate = useNavigate();
  const run = useRun();
  const mayLink = useMayLink(userId);
  const columns = useMemo(() => linkedColumns(run, projectId, mayLink), [run, projectId, mayLink]);
  return (
    <ResourceListPage
      meta={() => words.text(deviceCount)}
      intro={<LinkRepository {...props} {...{ deviceCount, mayLink }} />}
      source={queryRows(projectRepositoriesQuery(projectId), ({ repositories }) => repositories)}
      columns={columns}
      rowKey={({ repositoryId }) => repositoryId}
      rowName={({ name }) => name}
      filterLabel={words.filter}
      csvName={words.csvName}
      onOpen={(linked) => void navigate(repositoryLink(linked))}
      empty={{ title: words.emptyTitle, text: words.emptyText }}
    />
  );
}

/** Whether the hub lets a user link a repository: a public one, one that the user owns, and as an administrator any. */
function useMayLink(userId: Id<'user'>) {
  const { repositories } = useLoadedQuery(userRepositoriesQuery(userId)).data;
  const isAdmin = useQuery(userQuery(userId)).data?.isAdmin === true;
  return useCallback(
    ({ repositoryId, visibility }: Pick<LinkedRepository, 'repositoryId' | 'visibility'>) =>
      isAdmin ||
      visibility === 'Public' ||
      repositories.some((one) => one.repositoryId === repositoryId && one.isOwner),
    [repositories, isAdmin],
  );
}
