import type { Id } from '@corral/contract';
import { useNavigate } from '@tanstack/react-router';
import { Package } from 'lucide-react';
import { useMemo } from 'react';
import { useRun } from '../../data/action-mutation.ts';
import { projectQuery } from '../../data/queries-projects.ts';
import { projectRepositoriesQuery } from '../../data/queries-repositories.ts';
import { useLoadedQuery } from '../../data/use-loaded-query.ts';
import { confirm } from '../../parts/confirm.ts';
import { ResourceListPage } from '../../parts/ResourceListPage.tsx';
import { queryRows } from '../../parts/row-source.ts';
import { useUndoableRun } from '../../parts/use-undoable-run.ts';
import { projectRepositoriesCopy as words } from './copy.ts';
import { LinkRepository } from './LinkRepository.tsx';
import { linkedColumns, repositoryLink } from './linked-columns.tsx';
import { linkRepository, unlinkRepository } from './mutations.ts';
import { useMayLink } from './use-may-link.ts';

/** The repositories that the devices of a project can read. */
export function ProjectRepositoriesPage({
  userId,
  projectId,
}: {
  userId: Id<'user'>;
  projectId: Id<'project'>;
}) {
  const { deviceCount } = useLoadedQuery(projectQuery(projectId)).data;
  const { repositories } = useLoadedQuery(projectRepositoriesQuery(projectId)).data;
  const navigate = useNavigate();
  return (
    <ResourceListPage
      meta={() => words.text(deviceCount)}
      intro={<LinkRepository {...{ userId, projectId, deviceCount }} linked={repositories} />}
      source={queryRows(projectRepositoriesQuery(projectId), (answer) => answer.repositories)}
      columns={useLinkedColumns(projectId, userId)}
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
function useLinkedColumns(projectId: Id<'project'>, userId: Id<'user'>) {
  const run = useRun();
  const runUndoable = useUndoableRun();
  const mayLink = useMayLink(userId);
  return useMemo(
    () =>
      linkedColumns((repository) => {
        const { repositoryId, name } = repository;
        const input = { projectId, repositoryId };
        if (mayLink(repository))
          runUndoable(unlinkRepository, input, {
            inverse: input,
            inverseMutation: linkRepository(repository),
            done: words.unlinkedDone(name),
            failed: words.unlinkFailed,
          });
        else
          void confirm({
            title: words.unlinkTitle(name),
            text: words.unlinkText,
            verb: words.unlink,
            action: () => run(unlinkRepository, input),
            done: words.unlinkedDone(name),
          });
      }),
    [projectId, run, runUndoable, mayLink],
  );
}
