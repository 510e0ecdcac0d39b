import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import {
  cellPadding,
  type DataColumn,
  isSortable,
  type TableSort,
  visibilityClass,
  widthOf,
} from './data-table.ts';

/** A column header. Presses sort ascending, then descending, then not at all. */
export function ColumnHead<Row>({
  column,
  isFixed,
  isTight,
  sort,
  onSortChange,
}: {
  column: DataColumn<Row>;
  /** Whether the widths of the columns hold whatever is in them. */
  isFixed: boolean;
  isTight: boolean;
  sort: TableSort | undefined;
  onSortChange: ((sort: TableSort | undefined) => void) | undefined;
}) {
  const canSort = onSortChange !== undefined && isSortable(column);
  const own = sort?.id === column.id ? sort : undefined;
  const Icon = own === undefined ? ChevronsUpDown : own.isDescending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      aria-sort={own === undefined ? undefined : own.isDescending ? 'descending' : 'ascending'}
      style={{ width: column.isFilling === true && !isFixed ? '100%' : widthOf(column, isTight) }}
      className={`h-9 text-label text-ink3 ${cellPadding(isTight)} ${isTight ? '' : 'whitespace-nowrap'} ${column.align === 'end' ? 'text-end' : 'text-start'} ${visibilityClass(column)}`}
    >
      {canSort ? (
        <button
          type="button"
          onClick={() => onSortChange(nextSort(column.id, own))}
          // Beside numbers the icon is before the words, which stand over them.
          className={`group -mx-1 inline-flex h-7 items-center gap-1 rounded-control px-1 hover:text-ink pointer-coarse:h-11 ${column.align === 'end' ? 'flex-row-reverse' : ''}`}
        >
          {column.header}
          <Icon
            size={13}
            aria-hidden
            className={`print:hidden ${own === undefined ? 'opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100' : 'text-denim'}`}
          />
        </button>
      ) : (
        column.header
      )}
    </th>
  );
}

function nextSort(id: string, own: TableSort | undefined): TableSort | undefined {
  if (own === undefined) return { id, isDescending: false };
  return own.isDescending ? undefined : { id, isDescending: true };
}
