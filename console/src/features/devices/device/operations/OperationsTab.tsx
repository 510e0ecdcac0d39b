import type { Id } from '@corral/contract';
import { useMemo } from 'react';
import { DeviceOperationDrawer } from '../../../../parts/operation/DeviceOperationDrawer.tsx';
import { type DeviceOperation, deviceOperationsQuery } from '../../../../parts/operation/operations.ts';
import { failureOf, moreLiveRows } from '../../../../parts/more-live-rows.ts';
import { NextPage } from '../../../../parts/NextPage.tsx';
import { omitUndefined } from '../../../../parts/search-values.ts';
import { useLivePages } from '../../../../parts/use-live-pages.ts';
import { EmptyState } from '../../../../ui/layout/EmptyState.tsx';
import { DataTable } from '../../../../ui/table/DataTable.tsx';
import type { TimelineSearch } from '../timeline/timeline-search.ts';
import { deviceOperationsCopy } from './copy.ts';
import { deviceOperationColumns } from './device-operation-columns.tsx';
import { RunCommandCard } from './RunCommandCard.tsx';

const words = deviceOperationsCopy.list;

interface OperationsTabProps {
  readonly projectId: Id<'project'>;
  readonly deviceId: Id<'device'>;
  readonly isConnected: boolean;
  readonly search: TimelineSearch;
  readonly onSearchChange: (search: TimelineSearch) => void;
}

/** Runs a command of the device, and lists what was run on it; the open operation is in the URL. */
export function OperationsTab({
  projectId,
  deviceId,
  isConnected,
  search,
  onSearchChange,
}: OperationsTabProps) {
  const pages = useLivePages({
    queryOf: (after) => deviceOperationsQuery(deviceId, after),
    rowsOf: ({ operations }) => operations,
    keyOf,
    isEnabled: true,
  });
  const { rows, readAllRows, onRowsInSight } = pages;
  const columns = useMemo(() => deviceOperationColumns(), []);
  const open = (operation: Id<'deviceOperation'> | undefined) =>
    onSearchChange(omitUndefined({ ...search, operation }));
  const place = rows?.findIndex(({ deviceOperationId }) => deviceOperationId === search.operation) ?? -1;
  const stepTo = (to: DeviceOperation | undefined) => to && (() => open(to.deviceOperationId));
  return (
    <div className="flex flex-col gap-4">
      <RunCommandCard key={deviceId} {...{ projectId, deviceId, isConnected }} />
      <div>
        <DataTable
          label={words.title}
          {...{ columns, rows, readAllRows, onRowsInSight }}
          failure={failureOf(pages)}
          isServerSide
          rowKey={keyOf}
          rowName={({ name }) => name}
          filters={<h2 className="text-section">{words.title}</h2>}
          csvName={words.csvName}
          onOpen={({ deviceOperationId }) => open(deviceOperationId)}
          empty={
            <div className="rounded-card border border-line bg-surface">
              <EmptyState title={words.emptyTitle} text={words.emptyText} />
            </div>
          }
        />
        {pages.loadMore !== undefined && <NextPage more={moreLiveRows(pages, rows?.length ?? 0)} />}
      </div>
      <DeviceOperationDrawer
        {...{ projectId }}
        deviceOperationId={search.operation}
        onStep={
          place < 0 ? undefined : { previous: stepTo(rows?.[place - 1]), next: stepTo(rows?.[place + 1]) }
        }
        onClose={() => open(undefined)}
      />
    </div>
  );
}

const keyOf = ({ deviceOperationId }: DeviceOperation): string => deviceOperationId;
