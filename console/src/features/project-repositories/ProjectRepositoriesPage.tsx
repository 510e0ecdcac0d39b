import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Package, Unlink } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { type Run, useRun } from '../../data/action-mutation.ts';
import { userQuery } from '../../data/queries-account.ts';
import { projectQuery } from '../../data/queries-projects.ts';
import { projectRepositoriesQuery, userRepositoriesQuery } from '../../data/queries-repositories.ts';
import { useLoadedQuery } from '../../data/use-loaded-query.ts';
import { askFirst } from '../../parts/ask-first.ts';
import { ResourceListPage } from '../../parts/ResourceListPage.tsx';
import { queryRows } from '../../parts/row-source.ts';
import { runUndoable } from '../../parts/undoable.ts';
import type { RowAction } from '../../ui/table/columns.tsx';
import { projectRepositoriesCopy as words } from './copy.ts';
import { LinkRepository } from './LinkRepository.tsx';
import { linkedColumns, repositoryLink } from './linked-columns.tsx';
import { type LinkedRepository, linkRepository, unlinkRepository } from './mutations.ts';

/** The repositories that the devices of a project can read. */
export function ProjectRepositoriesPage(props: { userId: Id<'user'>; projectId: Id<'project'> }) {
  const { userId, projectId } = props;
  const { deviceCount } = useLoadedQuery(projectQuery(projectId)).data;
  const { repositories } = useLoadedQuery(projectRepositoriesQuery(projectId)).data;
  const navigate = useNavigate();
  const run = useRun();
  const mayLink = useMayLink(userId);
  const columns = useMemo(
    () => linkedColumns((row) => unlink(run, projectId, row, mayLink(row))),
    [run, projectId, mayLink],
  );
  return (
    <ResourceListPage
      meta={() => words.text(deviceCount)}
      intro={<LinkRepository {...{ projectId, deviceCount, mayLink }} {...props} linked={repositories} />}
      source={queryRows(projectRepositoriesQuery(projectId), (answer) => answer.repositories)}
      columns={columns}
      rowKey={({ repositoryId }) => repositoryId}
      rowName={({ name }) => name}
      filterLabel={words.filter}
      csvName={words.csvName}
      onOpen={({ repositoryId }) => void navigate(repositoryLink(repositoryId))}
      empty={{ icon: <Package size={20} aria-hidden />, title: words.emptyTitle, text: words.emptyText }}
    />
  );
}

/** Who may link a repository again unlinks it at once, with Undo; others are asked first. */
function unlink(run: Run, projectId: Id<'project'>, row: LinkedRepository, isUndoable: boolean): RowAction {
  const { repositoryId, name } = row;
  const input = { projectId, repositoryId };
  const done = words.unlinkedDone(name);
  const shown = { label: words.unlink, name: words.unlinkName(name), icon: <Unlink aria-hidden /> };
  if (!isUndoable)
    return askFirst({
      ...shown,
      title: words.unlinkTitle(name),
      text: words.unlinkText,
      action: () => run(unlinkRepository, input),
      done,
    });
  const undo = { inverse: input, inverseMutation: linkRepository(row) };
  const onSelect = () =>
    runUndoable(run, unlinkRepository, input, { ...undo, done, failed: words.unlinkFailed });
  return { ...shown, onSelect };
}

/** Whether the hub lets a user link a repository: a public one, one that the user owns, and as an administrator any. */
function useMayLink(
  userId: Id<'user'>,
): (repository: Pick<LinkedRepository, 'repositoryId' | 'visibility'>) => boolean {
  const { repositories } = useLoadedQuery(userRepositoriesQuery(userId)).data;
  const isAdmin = useQuery(userQuery(userId)).data?.isAdmin === true;
  return useCallback(
    ({ repositoryId, visibility }) =>
      isAdmin ||
      visibility === 'Public' ||
      repositories.some((one) => one.repositoryId === repositoryId && one.isOwner),
    [repositories, isAdmin],
  );
}
