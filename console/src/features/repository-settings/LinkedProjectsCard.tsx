import type { Id, Output } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Check, Unlink } from 'lucide-react';
import { useMemo } from 'react';
import { terms } from '../../copy/terms.ts';
import { type Run, useRun } from '../../data/action-mutation.ts';
import { repositoryProjectsQuery } from '../../data/queries-repositories.ts';
import { askFirst } from '../../parts/ask-first.ts';
import { ErrorBoundary } from '../../parts/ErrorBoundary.tsx';
import { ResourceTable } from '../../parts/ResourceTable.tsx';
import { Card } from '../../ui/layout/Card.tsx';
import { runUndoable } from '../../parts/undoable.ts';
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
  const run = useRun();
  const columns = useMemo(() => columnsOf(run, repositoryId, isOwner), [run, repositoryId, isOwner]);
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

function columnsOf(run: Run, repositoryId: Id<'repository'>, isOwner: boolean): DataColumn<LinkedProject>[] {
  const what = terms.ids.project;
  return [
    nameColumn({ of: ({ name }) => name }),
    idColumn({ id: 'projectId', header: words.id, of: ({ projectId }) => projectId, what, length: 16 }),
    countColumn({ id: 'devices', header: words.devices, of: ({ devices }) => devices }),
    actionsColumn({
      of: ({ projectId, name, isConfirmed }) => {
        const input = { projectId, repositoryId };
        const confirmation = {
          label: words.confirm,
          name: words.confirmName(name),
          icon: <Check aria-hidden />,
          onSelect: () =>
            runUndoable(run, confirmLink, input, { done: words.confirmed(name), failed: words.notConfirmed }),
        };
        const unlinking = askFirst({
          label: words.unlink,
          icon: <Unlink aria-hidden />,
          disabledReason: isOwner ? undefined : words.ownerOnly,
          title: words.unlinkName(name),
          text: words.unlinkText,
          action: () => run(unlinkProject, input),
          done: words.unlinked(name),
        });
        return isConfirmed || !isOwner ? [unlinking] : [confirmation, unlinking];
      },
    }),
  ];
}
