import type { Id } from '@corral/contract';
import { useMemo } from 'react';
import { failureOf, moreLiveRows } from '../../../parts/more-live-rows.ts';
import { NextPage } from '../../../parts/NextPage.tsx';
import { useDebounced } from '../../../parts/use-debounced.ts';
import { useLast } from '../../../parts/use-last.ts';
import { useLivePages } from '../../../parts/use-live-pages.ts';
import { useUrlSearch } from '../../../parts/use-url-search.ts';
import { operationCopy } from '../../../parts/operation/copy.ts';
import { DeviceOperationDrawer } from '../../../parts/operation/DeviceOperationDrawer.tsx';
import { OptionalChips } from '../../../ui/form/OptionalChips.tsx';
import { EmptyState } from '../../../ui/layout/EmptyState.tsx';
import { OperationGlyph } from '../../../ui/picture/OperationGlyph.tsx';
import type { OperationMark } from '../../../ui/picture/operation-shapes.ts';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import { operationsCopy } from '../copy.ts';
import { type FoundOperation, type Target, targetsQuery } from '../fleet-operations.ts';
import { type OperationSearch, targetStatuses } from '../operations-search.ts';
import { targetColumns, targetName } from './target-columns.tsx';

const words = operationsCopy.targets;

const marks: Record<(typeof targetStatuses)[number], OperationMark> = {
  Failed: 'failed',
  TimedOut: 'failed',
  Running: 'running',
  Pending: 'waiting',
  Succeeded: 'succeeded',
  Cancelled: 'cancelled',
};

/** The devices of an operation, failures first; filter, status and the open one are in the URL. */
export function TargetsTable({
  projectId,
  operation,
}: {
  projectId: Id<'project'>;
  operation: FoundOperation;
}) {
  const [{ q = '', status, target }, change] = useUrlSearch<OperationSearch>();
  const { summary, steps, stages } = operation;
  const asked = useDebounced(q.trim());
  const pages = useLivePages({
    queryOf: (after) =>
      targetsQuery(summary.fleetOperationId, {
        order: 'status',
        ...(status === undefined ? {} : { status: [status] }),
        ...(asked === '' ? {} : { filter: asked }),
        ...(after === undefined ? {} : { after }),
      }),
    rowsOf: ({ targets }) => targets,
    keyOf,
    isEnabled: true,
  });
  const { rows, readAllRows, onRowsInSight } = pages;
  const hasAttempts = rows?.some(({ attempt }) => attempt > 1) === true;
  const columns = useMemo(() => targetColumns({ steps, stages, hasAttempts }), [steps, stages, hasAttempts]);
  const opened = useLast(rows?.find(({ deviceOperationId }) => deviceOperationId === target));
  const place = rows?.findIndex(({ deviceOperationId }) => deviceOperationId === target) ?? -1;
  const stepTo = (to: Target | undefined) => to && (() => change({ target: to.deviceOperationId }));
  return (
    <div id="devices" className="scroll-mt-4">
      <DataTable
        label={words.title}
        {...{ columns, rows, readAllRows, onRowsInSight }}
        failure={failureOf(pages)}
        isServerSide
        rowKey={keyOf}
        rowName={targetName}
        filter={q}
        onFilterChange={(next) => change({ q: next === '' ? undefined : next })}
        filterLabel={words.filter}
        filters={<StatusChips {...{ status, change }} progress={summary.progress} />}
        isFiltered={status !== undefined}
        onClearFilters={() => change({ status: undefined, q: undefined })}
        csvName={words.csvName}
        onOpen={({ deviceOperationId }) => change({ target: deviceOperationId })}
        empty={
          <div className="rounded-card border border-line bg-surface">
            <EmptyState title={words.emptyTitle} text={words.emptyText} />
          </div>
        }
      />
      {rows !== undefined && rows.length > 0 && pages.loadMore !== undefined && (
        <NextPage more={moreLiveRows(pages, rows.length)} />
      )}
      <DeviceOperationDrawer
        {...{ projectId }}
        deviceOperationId={target}
        deviceName={opened === undefined ? '' : targetName(opened)}
        onStep={
          place < 0 ? undefined : { previous: stepTo(rows?.[place - 1]), next: stepTo(rows?.[place + 1]) }
        }
        onClose={() => change({ target: undefined })}
      />
    </div>
  );
}

const keyOf = ({ deviceOperationId }: Target): string => deviceOperationId;

function StatusChips({
  status,
  change,
  progress,
}: {
  status: OperationSearch['status'];
  change: (search: { status: OperationSearch['status'] | undefined }) => void;
  progress: FoundOperation['summary']['progress'];
}) {
  const counts = {
    Failed: progress.failed,
    TimedOut: progress.timedOut,
    Running: progress.running,
    Pending: progress.pending,
    Succeeded: progress.succeeded,
    Cancelled: progress.cancelled,
  };
  const shown = targetStatuses.filter(
    (one) => counts[one] > 0 || one === status || (one !== 'TimedOut' && one !== 'Cancelled'),
  );
  return (
    <OptionalChips
      label={words.columns.status}
      value={status}
      onValueChange={(status) => change({ status })}
      all={words.all}
      allCount={progress.total}
      chips={shown.map((value) => ({
        value,
        label: operationCopy.states[value],
        count: counts[value],
        icon: <OperationGlyph mark={marks[value]} size={11} />,
      }))}
    />
  );
}
