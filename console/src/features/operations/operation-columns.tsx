import type { Actor, Id } from '@corral/contract';
import { linkColumn } from '../../parts/link-column.tsx';
import type { ActorNames } from '../../parts/use-actor-names.ts';
import { operationCopy } from '../../parts/operation/copy.ts';
import { OperationStatus } from '../../parts/operation/OperationStatus.tsx';
import { nameColumn, timeColumn } from '../../ui/table/columns.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import type { DataColumn } from '../../ui/table/data-table.ts';
import { Dash } from '../../ui/text/Dash.tsx';
import { operationsCopy } from './copy.ts';
import type { FleetOperation } from './fleet-operations.ts';
import { ProgressBar } from './ProgressBar.tsx';

const words = operationsCopy.columns;

/** The columns of the operations of a project. */
export function operationColumns(projectId: Id<'project'>, names: ActorNames): DataColumn<FleetOperation>[] {
  return [
    nameColumn({
      header: words.name,
      isFilling: true,
      of: ({ name }) => name,
      cell: ({ name }) => (
        <span title={name} className="line-clamp-2 font-head wrap-anywhere text-ink">
          {name}
        </span>
      ),
    }),
    {
      id: 'status',
      header: words.status,
      width: '8rem',
      tightWidth: '7rem',
      value: ({ status }) => operationCopy.states[status],
      filterText: ({ pauseReason = '' }) => pauseReason,
      cell: ({ status }) => <OperationStatus status={status} />,
      onPhone: 'badge',
    },
    {
      id: 'progress',
      header: words.progress,
      width: '15rem',
      tightWidth: '12rem',
      value: ({ progress }) => progress.succeeded,
      csvText: ({ progress: { succeeded, total } }) => operationsCopy.done(succeeded, total),
      cell: ({ progress }) => <ProgressBar progress={progress} />,
    },
    {
      id: 'stage',
      header: words.stage,
      width: '5.5rem',
      tightWidth: '4.5rem',
      value: ({ activeStageIndex }) => activeStageIndex + 1,
      cell: ({ status, activeStageIndex, stageCount }) =>
        status === 'Draft' ? (
          <Dash />
        ) : (
          <span className="tabular whitespace-nowrap text-ink2">
            {operationsCopy.stageOf(Math.min(activeStageIndex + 1, stageCount), stageCount)}
          </span>
        ),
      onPhone: 'hidden',
    },
    {
      id: 'by',
      header: words.by,
      width: '9rem',
      tightWidth: '7rem',
      isExtra: true,
      onPhone: 'hidden',
      value: ({ createdBy }) => whoOf(createdBy, names),
      cell: ({ createdBy }) => (
        <span className="block max-w-36 truncate text-ink2">{whoOf(createdBy, names)}</span>
      ),
    },
    timeColumn({
      id: 'started',
      header: words.started,
      width: '7.5rem',
      tightWidth: '6.5rem',
      of: ({ startedAt }) => startedAt,
      phoneCell: ({ startedAt }) => startedAt && <RelativeTime at={startedAt} />,
    }),
    timeColumn({
      id: 'ended',
      header: words.ended,
      width: '7.5rem',
      tightWidth: '6.5rem',
      isExtra: true,
      of: ({ completedAt }) => completedAt,
      phoneCell: ({ completedAt }) => completedAt && <RelativeTime at={completedAt} />,
    }),
    linkColumn({
      label: operationsCopy.view,
      nameOf: ({ name }) => name,
      linkOf: ({ fleetOperationId }) => ({
        to: '/projects/$projectId/operations/$operationId',
        params: { projectId, operationId: fleetOperationId },
      }),
    }),
  ];
}

/** Who created an operation, by name where that is known. */
export function whoOf(actor: Actor | undefined, names: ActorNames): string {
  if (actor === undefined) return '';
  if ('userId' in actor) return names.get(actor.userId) ?? actor.kind;
  if ('deviceId' in actor) return names.get(actor.deviceId) ?? actor.kind;
  return actor.kind;
}
