import { OperationGlyph } from '../../../ui/picture/OperationGlyph.tsx';
import { middleTruncate } from '../../../ui/text/middle-truncate.ts';
import { nameColumn } from '../../../ui/table/columns.tsx';
import type { DataColumn } from '../../../ui/table/data-table.ts';
import { valueText } from './ChangePreview.tsx';
import type { ChangeResult, DeviceChange } from './changes.ts';
import { changesCopy } from './copy.ts';

const tones = { Pending: 'text-ink2', Done: 'text-ok', Failed: 'text-danger' };
const marks = { Pending: 'waiting', Done: 'succeeded', Failed: 'failed' } as const;

/** The columns of the results of a change. */
export function resultColumns({ kind }: DeviceChange, hasFailed: boolean): DataColumn<ChangeResult>[] {
  const hasValues = kind === 'Rename' || kind === 'SetLabel' || kind === 'RemoveLabel';
  return [
    nameColumn({
      id: 'device',
      header: changesCopy.page.columns.name,
      isFilling: true,
      of: ({ deviceId, deviceName }) => deviceName ?? middleTruncate(deviceId, 16),
    }),
    {
      id: 'status',
      header: changesCopy.page.columns.status,
      width: '8rem',
      value: ({ status }) => changesCopy.page.statuses[status],
      cell: ({ status }) => (
        <span
          className={`inline-flex items-center gap-1.5 text-label font-head whitespace-nowrap ${tones[status]}`}
        >
          <OperationGlyph mark={marks[status]} />
          {changesCopy.page.statuses[status]}
        </span>
      ),
      onPhone: 'badge',
    },
    ...(hasValues ? [valueColumn('before'), valueColumn('after')] : []),
    ...(hasFailed ? [reasonColumn()] : []),
  ];
}

const reasonColumn = (): DataColumn<ChangeResult> => ({
  id: 'reason',
  header: changesCopy.page.columns.reason,
  width: '20rem',
  value: ({ reason }) => reason,
  cell: ({ reason }) => (
    <span className="wrap-anywhere text-ink2 in-[td]:block in-[td]:min-w-48">{reason}</span>
  ),
});

function valueColumn(id: 'before' | 'after'): DataColumn<ChangeResult> {
  return {
    id,
    header: changesCopy.page.columns[id],
    width: '11rem',
    value: (result) => valueText(result[id]),
    cell: (result) => (
      <span className="wrap-anywhere text-ink2 in-[td]:block in-[td]:min-w-28">{valueText(result[id])}</span>
    ),
  };
}
