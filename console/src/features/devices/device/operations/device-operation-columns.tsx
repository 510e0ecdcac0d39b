import { Boxes } from 'lucide-react';
import { operationCopy } from '../../../../parts/operation/copy.ts';
import type { DeviceOperation } from '../../../../parts/operation/operations.ts';
import { OperationStatus } from '../../../../parts/operation/OperationStatus.tsx';
import { StepBar } from '../../../../parts/operation/StepBar.tsx';
import { nameColumn, timeColumn } from '../../../../ui/table/columns.tsx';
import type { DataColumn } from '../../../../ui/table/data-table.ts';
import { deviceOperationsCopy } from './copy.ts';

const words = deviceOperationsCopy.list;

/** The columns of the operations of a device. */
export function deviceOperationColumns(): DataColumn<DeviceOperation>[] {
  return [
    nameColumn({
      header: words.columns.name,
      width: '15rem',
      of: ({ name }) => name,
      cell: ({ name, fleetOperationId }) => (
        <span className="flex min-w-0 items-center gap-2 font-head text-ink in-[td]:min-w-44 in-[th]:min-w-44">
          <span className="wrap-anywhere">{name}</span>
          {fleetOperationId !== undefined && (
            <Boxes size={14} role="img" aria-label={words.fleet} className="shrink-0 text-ink3" />
          )}
        </span>
      ),
    }),
    {
      id: 'status',
      header: words.columns.status,
      width: '8rem',
      tightWidth: '7rem',
      value: ({ status }) => operationCopy.states[status],
      cell: ({ status }) => <OperationStatus status={status} />,
      isSortable: false,
      onPhone: 'badge',
    },
    {
      id: 'step',
      header: words.columns.step,
      width: '8rem',
      tightWidth: '6rem',
      value: ({ stepIndex }) => stepIndex + 1,
      cell: ({ stepIndex, stepCount, status }) => <StepBar count={stepCount} {...{ stepIndex, status }} />,
    },
    {
      id: 'word',
      header: words.columns.word,
      isFilling: true,
      value: lastWord,
      cell: (operation) => (
        <span className="line-clamp-2 wrap-anywhere text-ink2">{lastWord(operation)}</span>
      ),
    },
    timeColumn({
      id: 'started',
      header: words.columns.started,
      width: '7.5rem',
      tightWidth: '6.5rem',
      of: ({ startedAt }) => startedAt,
    }),
    timeColumn({
      id: 'ended',
      header: words.columns.ended,
      width: '7.5rem',
      tightWidth: '6.5rem',
      isExtra: true,
      of: ({ completedAt }) => completedAt,
    }),
  ];
}

function lastWord({ lastError, outcome }: DeviceOperation): string {
  return lastError ?? (outcome === undefined ? '' : operationCopy.outcomes[outcome]);
}
