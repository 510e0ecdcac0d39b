import type { Id, Output } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Check, Unlink } from 'lucide-react';
import { useMemo } from 'react';
import { terms } from '../../copy/terms.ts';
import { useRun } from '../../data/action-mutation.ts';
import { repositoryProjectsQuery } from '../../data/queries-repositories.ts';
import { confirm } from '../../parts/confirm.ts';
import { ErrorBoundary } from '../../parts/ErrorBoundary.tsx';
import { ResourceTable } from '../../parts/ResourceTable.tsx';
import { Card } from '../../ui/layout/Card.tsx';
import { useUndoableRun } from '../../parts/use-undoable-run.ts';
import { useTableSearch } from '../../parts/use-table-search.ts';
import { actionsColumn, countColumn, idColumn, nameColumn } from '../../ui/table/columns.tsx';
import type { DataColumn } from '../../ui/table/data-table.ts';
import { repositorySettingsCopy } from './copy.ts';
import { confirmLink, unlinkProject } from './mutations.ts';

type LinkedProject = Output<'repositories_QueryRepositoryProjects'>['projects'][number];

const words = repositorySettingsCopy.projects;

/** The projects that read a repository, for its members. Its owners unlink each of them, also one that is none of theirs. */
export function LinkedProjectsCard({
  repositoryId,
  isOwner,
}: {
  repositoryId: Id<'repository'>;
  isOwner: boolean;
}) {
  const { data, error, refetch } = useQuery(repositoryProjectsQuery(repositoryId));
  const columns = useColumns(repositoryId, isOwner);
  const search = useTableSearch(columns);
  return (
    <Card title={words.title} isFlush>
      <ErrorBoundary isFlush error={data === undefined ? error : undefined} onRetry={() => void refetch()}>
        <ResourceTable
          isFlush
          label={words.title}
          rows={{ rows: data?.projects }}
          columns={columns}
          search={search}
          rowKey={({ projectId }) => projectId}
          rowName={({ name }) => name}
          filterLabel={words.filter}
          csvName={words.csvName}
          empty={{ title: words.emptyTitle, text: words.emptyText }}
        />
      </ErrorBoundary>
    </Card>
  );
}

function useColumns(repositoryId: Id<'repository'>, isOwner: boolean): DataColumn<LinkedProject>[] {
  const run = useRun();
  const runUndoable = useUndoableRun();
  return useMemo(() => {
    const unlink = ({ projectId, name }: LinkedProject): void =>
      void confirm({
        title: words.unlinkName(name),
        text: words.unlinkText,
        verb: words.unlink,
        action: () => run(unlinkProject, { projectId, repositoryId }),
        done: words.unlinked(name),
      });
    const confirmOf = ({ projectId, name }: LinkedProject): void =>
      runUndoable(
        confirmLink,
        { projectId, repositoryId },
        { done: words.confirmed(name), failed: words.notConfirmed },
      );
    return [
      nameColumn({ id: 'name', header: terms.name, of: ({ name }) => name }),
      idColumn({
        id: 'projectId',
        header: words.id,
        of: ({ projectId }) => projectId,
        what: terms.ids.project,
        length: 16,
      }),
      countColumn({ id: 'devices', header: words.devices, of: ({ devices }) => devices }),
      actionsColumn({
        id: 'actions',
        header: terms.actions,
        of: (project) => [
          ...(project.isConfirmed || !isOwner
            ? []
            : [
                {
                  label: words.confirm,
                  name: words.confirmName(project.name),
                  icon: <Check aria-hidden />,
                  onSelect: () => confirmOf(project),
                },
              ]),
          {
            label: words.unlink,
            name: words.unlinkName(project.name),
            icon: <Unlink aria-hidden />,
            disabledReason: isOwner ? undefined : words.ownerOnly,
            onSelect: () => unlink(project),
          },
        ],
      }),
    ];
  }, [run, runUndoable, repositoryId, isOwner]);
}
