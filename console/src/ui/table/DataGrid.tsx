import { memo, useRef } from 'react';
import { tableCopy } from './copy.ts';
import { ShortDates } from '../time/short-dates.ts';
import { ShortIds } from '../text/short-ids.ts';
import { ColumnHead } from './ColumnHead.tsx';
import { cellOf } from './cell-of.ts';
import { cellPadding, minWidthOf, visibilityClass } from './data-table.ts';
import type { DataTableProps, RowsProps } from './DataTable.tsx';
import { rowOpenHandlers } from './row-open-handlers.ts';
import { RowMenu } from './RowMenu.tsx';
import { useRowKeys } from './use-row-keys.ts';
import type { RowSelection } from './use-row-selection.ts';
import { useRowWindow } from './use-row-window.ts';
import { useRowsInSight } from './use-rows-in-sight.ts';
import { SelectAllBox, SelectBox } from './SelectBox.tsx';

const estimatedRowHeight = 41;
/** The characters of an id in a tight table. */
const shortId = 5;

/** The rows as a table. */
export function DataGrid<Row extends object>({ box, ...props }: RowsProps<Row>) {
  const { label, columns, rows, rowKey, rowName = rowKey, sort, onSortChange, rowMenu } = props;
  const { onOpen, isChanged, isFlush = false, isLong, isMultiline = false, isTight, selection } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const view = useRowWindow(rows.length, body, estimatedRowHeight, { isUniform: !isMultiline, isLong });
  useRowsInSight(view.indexes, rows, props.onRowsInSight);
  const active = useRowKeys({
    rows,
    rowKey,
    container: body,
    scrollTo: view.scrollTo,
    toggle: selection?.toggle,
  });
  const columnCount = columns.length + (rowMenu === undefined ? 0 : 1) + (selection === undefined ? 0 : 1);
  return (
    <ShortIds.Provider value={isTight ? shortId : Infinity}>
      <ShortDates value>
        <div
          ref={box}
          className={`overflow-x-auto ${isFlush ? '' : 'rounded-card border border-line bg-surface'}`}
        >
          <table
            aria-label={label}
            data-tight={isTight || undefined}
            aria-rowcount={view.isVirtual ? rows.length + 1 : undefined}
            style={view.isVirtual ? { minWidth: minWidthOf(columns, isTight) } : undefined}
            className={`w-full border-collapse text-start ${view.isVirtual ? 'table-fixed' : ''}`}
          >
            <thead className="border-b border-line bg-canvas/60">
              <tr aria-rowindex={view.isVirtual ? 1 : undefined}>
                {selection !== undefined && (
                  <td className="w-12 ps-3.5 text-start print:hidden">
                    <SelectAllBox
                      selected={selection.rows.length}
                      total={rows.length}
                      onToggle={selection.toggleAll}
                    />
                  </td>
                )}
                {columns.map((column) => (
                  <ColumnHead
                    key={column.id}
                    isFixed={view.isVirtual}
                    {...{ column, isTight, sort, onSortChange }}
                  />
                ))}
                {rowMenu !== undefined && (
                  <th scope="col" className="w-14 print:hidden">
                    <span className="sr-only">{tableCopy.actions}</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody ref={body} className="divide-y divide-line">
              <Spacer height={view.before} columnCount={columnCount} />
              {view.indexes.map((index) => {
                const row = rows[index];
                if (row === undefined) return null;
                return (
                  <Line
                    key={rowKey(row)}
                    {...{ row, index, columns, rowName, onOpen, rowMenu, isTight }}
                    onToggle={selection?.toggle}
                    isSelected={selection?.isSelected(row) === true}
                    isActive={index === active}
                    isVirtual={view.isVirtual}
                    isOneLine={view.isVirtual && !isMultiline}
                    measure={view.measure}
                    isTinted={isChanged?.(row) === true}
                  />
                );
              })}
              <Spacer height={view.after} columnCount={columnCount} />
            </tbody>
          </table>
        </div>
      </ShortDates>
    </ShortIds.Provider>
  );
}

type LineProps<Row extends object> = Pick<DataTableProps<Row>, 'columns' | 'onOpen' | 'rowMenu'> & {
  row: Row;
  rowName: (row: Row) => string;
  index: number;
  /** Selects the row; it has no checkbox without it. */
  onToggle: RowSelection<Row>['toggle'] | undefined;
  isSelected: boolean;
  isActive: boolean;
  isVirtual: boolean;
  isTight: boolean;
  /** Whether what does not fit into a line is cut off, since all rows have the height of the first one. */
  isOneLine: boolean;
  measure: ((element: Element | null) => void) | undefined;
  isTinted: boolean;
};

// Memoised: while the page scrolls only new rows render; the props of the others stay the same.
const Line = memo(LineContent) as typeof LineContent;

function LineContent<Row extends object>({
  row,
  index,
  onToggle,
  isSelected,
  isActive,
  isVirtual,
  isTinted,
  measure,
  onOpen,
  ...cells
}: LineProps<Row>) {
  return (
    <tr
      ref={measure}
      tabIndex={-1}
      data-index={index}
      data-row-index={index}
      data-active={isActive || undefined}
      data-selected={isSelected || undefined}
      aria-rowindex={isVirtual ? index + 2 : undefined}
      {...rowOpenHandlers(onOpen && (() => onOpen(row)))}
      className={`h-(--row-height) -outline-offset-2! transition-colors data-active:bg-denim-wash/40 data-selected:bg-denim-wash ${onOpen === undefined ? '' : 'cursor-pointer hover:bg-denim-wash/40'} ${isTinted ? 'motion-safe:animate-tint' : ''}`}
    >
      {onToggle !== undefined && (
        <td className="ps-3.5 print:hidden">
          <SelectBox name={cells.rowName(row)} {...{ index, isSelected, onToggle }} />
        </td>
      )}
      <Cells {...cells} row={row} />
    </tr>
  );
}

// Memoised apart from the row, whose index changes when other rows are filtered out.
const Cells = memo(CellsContent) as typeof CellsContent;

function CellsContent<Row extends object>({
  row,
  columns,
  rowName,
  rowMenu,
  isOneLine,
  isTight,
}: Pick<LineProps<Row>, 'row' | 'columns' | 'rowName' | 'rowMenu' | 'isOneLine' | 'isTight'>) {
  return (
    <>
      {columns.map((column) => (
        <td
          key={column.id}
          className={`py-(--row-padding) text-body ${cellPadding(isTight)} ${column.align === 'end' ? 'text-end' : 'text-start'} ${isOneLine ? 'truncate' : ''} ${visibilityClass(column)} ${column.onPhone === 'title' ? 'min-w-36' : ''}`}
        >
          {cellOf(column, row)}
        </td>
      ))}
      {rowMenu !== undefined && (
        <td className="py-(--row-padding) pe-3 text-end print:hidden">
          <RowMenu name={rowName(row)}>{() => rowMenu(row)}</RowMenu>
        </td>
      )}
    </>
  );
}

function Spacer({ height, columnCount }: { height: number; columnCount: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden>
      <td colSpan={columnCount} style={{ height, padding: 0 }} />
    </tr>
  );
}
