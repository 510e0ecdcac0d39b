import { memo, type ReactNode, useRef } from 'react';
import { cellOf } from './cell-of.ts';
import type { DataColumn } from './data-table.ts';
import type { DataTableProps, RowsProps } from './DataTable.tsx';
import { rowOpenHandlers } from './row-open-handlers.ts';
import { RowMenu } from './RowMenu.tsx';
import { useRowKeys } from './use-row-keys.ts';
import type { RowSelection } from './use-row-selection.ts';
import { useRowWindow } from './use-row-window.ts';
import { useRowsInSight } from './use-rows-in-sight.ts';
import { SelectBox } from './SelectBox.tsx';

const estimatedCardHeight = 70;

/** The rows as cards, for phones: title and meta at the start, badges at the end, the other columns below with their names. */
export function DataCards<Row extends object>(props: RowsProps<Row>) {
  const { label, rows, rowKey, isFlush = false, isLong, selection } = props;
  const list = useRef<HTMLUListElement>(null);
  const view = useRowWindow(rows.length, list, estimatedCardHeight, { isLong });
  useRowsInSight(view.indexes, rows, props.onRowsInSight);
  const active = useRowKeys({
    rows,
    rowKey,
    container: list,
    scrollTo: view.scrollTo,
    toggle: selection?.toggle,
  });
  return (
    <ul
      ref={list}
      aria-label={label}
      style={{ paddingBlock: `${view.before}px ${view.after}px` }}
      className={`divide-y divide-line ${isFlush ? '' : 'rounded-card border border-line bg-surface'}`}
    >
      {view.indexes.map((index) => {
        const row = rows[index];
        if (row === undefined) return null;
        return (
          <CardLine
            key={rowKey(row)}
            {...props}
            row={row}
            index={index}
            onToggle={selection?.toggle}
            isSelected={selection?.isSelected(row) === true}
            isActive={index === active}
            measure={view.measure}
            total={view.isVirtual ? rows.length : undefined}
          />
        );
      })}
    </ul>
  );
}

const CardLine = memo(CardLineContent) as typeof CardLineContent;

function CardLineContent<Row extends object>({
  row,
  index,
  total,
  isActive,
  onToggle,
  isSelected,
  measure,
  columns,
  rowKey,
  rowName = rowKey,
  onOpen,
  rowMenu,
  isChanged,
}: DataTableProps<Row> & {
  row: Row;
  index: number;
  total: number | undefined;
  isActive: boolean;
  onToggle: RowSelection<Row>['toggle'] | undefined;
  isSelected: boolean;
  measure: ((element: Element | null) => void) | undefined;
}) {
  const labelled = columnsAt(columns, 'labelled');
  return (
    <li
      ref={measure}
      tabIndex={-1}
      data-index={index}
      data-row-index={index}
      data-active={isActive || undefined}
      data-selected={isSelected || undefined}
      aria-setsize={total}
      aria-posinset={total === undefined ? undefined : index + 1}
      {...rowOpenHandlers(onOpen && (() => onOpen(row)))}
      className={`flex flex-col gap-2 px-3.5 py-3 -outline-offset-2! data-active:bg-denim-wash/40 data-selected:bg-denim-wash ${isChanged?.(row) === true ? 'motion-safe:animate-tint' : ''}`}
    >
      <div className="flex items-center justify-between gap-x-2">
        {onToggle !== undefined && (
          <span className="-ms-1 shrink-0 print:hidden">
            <SelectBox name={rowName(row)} {...{ index, isSelected, onToggle }} />
          </span>
        )}
        {/* The badges go below the name where both do not fit beside each other. */}
        <div className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-2">
          <div className="min-w-0 flex-1 basis-28">
            <div className="above-touch-areas text-body wrap-anywhere">
              {cellsOf(columnsAt(columns, 'title'), row)}
            </div>
            <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-small text-ink3">
              {cellsOf(columnsAt(columns, 'meta'), row)}
            </div>
          </div>
          <div className="flex flex-col items-end gap-1 empty:hidden max-[22rem]:items-start">
            {cellsOf(columnsAt(columns, 'badge'), row)}
          </div>
        </div>
        {cellsOf(columnsAt(columns, 'menu'), row)}
        {rowMenu !== undefined && <RowMenu name={rowName(row)}>{() => rowMenu(row)}</RowMenu>}
      </div>
      {labelled.length > 0 && (
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1.5 empty:hidden">
          {labelled.map((column) => {
            const content = phoneCellOf(column, row);
            return isEmpty(content) ? null : (
              <div key={column.id} className="contents">
                <dt className="text-small text-ink3">{column.header}</dt>
                <dd className="min-w-0 text-body wrap-anywhere">{content}</dd>
              </div>
            );
          })}
        </dl>
      )}
    </li>
  );
}

function columnsAt<Row>(
  columns: readonly DataColumn<Row>[],
  onPhone: NonNullable<DataColumn<Row>['onPhone']>,
): DataColumn<Row>[] {
  return columns.filter((column) => (column.onPhone ?? 'labelled') === onPhone);
}

function cellsOf<Row>(columns: readonly DataColumn<Row>[], row: Row): ReactNode {
  return columns.map((column) => {
    const content = phoneCellOf(column, row);
    return isEmpty(content) ? null : (
      <span key={column.id} className="own-direction">
        {content}
      </span>
    );
  });
}

function isEmpty(content: ReactNode): boolean {
  return content === null || content === undefined || content === false || content === '';
}

function phoneCellOf<Row>(column: DataColumn<Row>, row: Row): ReactNode {
  return column.phoneCell === undefined ? cellOf(column, row) : column.phoneCell(row);
}
