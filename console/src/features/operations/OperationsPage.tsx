import type { Id } from '@corral/contract';
import { linkOptions, useNavigate } from '@tanstack/react-router';
import { terms } from '../../copy/terms.ts';
import { liveRows } from '../../parts/live-rows.ts';
import { ResourceListPage } from '../../parts/ResourceListPage.tsx';
import type { RowSource } from '../../parts/row-source.ts';
import { useActorNames } from '../../parts/use-actor-names.ts';
import { useUrlSearch } from '../../parts/use-url-search.ts';
import { operationCopy } from '../../parts/operation/copy.ts';
import { OptionalChips } from '../../ui/form/OptionalChips.tsx';
import { operationsCopy as words } from './copy.ts';
import { type FleetOperation, fleetOperationsQuery } from './fleet-operations.ts';
import { operationColumns } from './operation-columns.tsx';
import { type OperationsSearch, operationStatuses } from './operations-search.ts';
import { useMemo } from 'react';

/** The operations on the devices of a project, newest first. */
export function OperationsPage({ projectId }: { projectId: Id<'project'> }) {
  const [{ status }, change] = useUrlSearch<OperationsSearch>();
  const navigate = useNavigate();
  const names = useActorNames(projectId);
  const columns = useMemo(() => operationColumns(projectId, names), [projectId, names]);
  return (
    <ResourceListPage
      meta={() => words.text}
      source={operationsSource(projectId, status)}
      columns={columns}
      rowKey={keyOf}
      rowName={({ name }) => name}
      isSortable={false}
      filters={
        <OptionalChips
          label={words.columns.status}
          value={status}
          onValueChange={(status) => change({ status })}
          all={words.all}
          chips={operationStatuses.map((value) => ({ value, label: operationCopy.states[value] }))}
        />
      }
      isFiltered={status !== undefined}
      onClearFilters={() => change({ status: undefined })}
      csvName={words.csvName}
      onOpen={({ fleetOperationId }) =>
        void navigate({
          to: '/projects/$projectId/operations/$operationId',
          params: { projectId, operationId: fleetOperationId },
        })
      }
      create={{
        label: terms.create.operations,
        page: linkOptions({ to: '/projects/$projectId/operations/new', params: { projectId } }),
      }}
      empty={{ title: words.emptyTitle, text: words.emptyText }}
    />
  );
}

const keyOf = ({ fleetOperationId }: FleetOperation): string => fleetOperationId;

/** The operations, read page by page, of which those in sight follow changes. */
function operationsSource(
  projectId: Id<'project'>,
  status: OperationsSearch['status'],
): RowSource<FleetOperation> {
  return liveRows({
    queryOf: (after) => fleetOperationsQuery(projectId, { status, after }),
    rowsOf: ({ operations }) => operations,
    keyOf,
  });
}
