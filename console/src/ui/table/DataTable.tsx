import { type ReactNode, type RefObject, useEffect, useMemo } from 'react';
import { uiCopy } from '../copy.ts';
import { Button } from '../action/Button.tsx';
import { SearchField } from '../form/SearchField.tsx';
import { EmptyState } from '../layout/EmptyState.tsx';
import { announce } from '../text/announce.ts';
import { CsvButton } from './CsvButton.tsx';
import type { DataColumn, TableSort } from './data-table.ts';
import { DataCards } from './DataCards.tsx';
import { DataGrid } from './DataGrid.tsx';
import { filterRows, prepareFilter } from './filter-rows.ts';
import { TableSkeleton } from './TableSkeleton.tsx';
import { useTableFit } from './use-table-fit.ts';
import { useNarrow } from './use-narrow.ts';
import { isLong } from './use-row-window.ts';
import { useSortedRows } from './use-sorted-rows.ts';

/** The props of a table. The route keeps `sort` and `filter` in the URL. */
export type DataTableProps<Row extends object> = {
  /** The accessible name of the table, e.g. "Devices". */
  label: string;
  /** Define them outside the component or memoise them. */
  columns: readonly DataColumn<Row>[];
  /** Undefined while loading. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  /** The name of a row, for the accessible name of its menu. */
  rowName?: ((row: Row) => string) | undefined;
  sort?: TableSort | undefined;
  onSortChange?: ((sort: TableSort | undefined) => void) | undefined;
  filter?: string | undefined;
  onFilterChange?: ((filter: string) => void) | undefined;
  filterLabel?: string | undefined;
  /** More filters beside the search, e.g. FilterChips; the route applies them to `rows`. */
  filters?: ReactNode;
  /** Content at the end of the toolbar. */
  aside?: ReactNode;
  /** File name of the export, without ".csv"; no export without it. */
  csvName?: string | undefined;
  /** Called on a click anywhere on a row, or on Enter. */
  onOpen?: ((row: Row) => void) | undefined;
  /** The MenuItem and MenuLink elements of a row's menu. */
  rowMenu?: ((row: Row) => ReactNode) | undefined;
  /** Shown when there are no rows at all. */
  empty: ReactNode;
  /** Whether filters of the route hide rows, so that no rows means that nothing matches. */
  isFiltered?: boolean | undefined;
  onClearFilters?: (() => void) | undefined;
  /** Whether `rows` are already filtered and sorted by `filter` and `sort`, as by the hub; else the table does it. */
  isServerSide?: boolean | undefined;
  /** Whether to tint a row once, because it just changed. */
  isChanged?: ((row: Row) => boolean) | undefined;
  /** Omits the border, for a table in a Card. */
  isFlush?: boolean | undefined;
};

/** The props of DataGrid and DataCards: the matching rows in their order, and whether the unfiltered list is long. */
export type RowsProps<Row extends object> = DataTableProps<Row> & {
  rows: readonly Row[];
  isLong: boolean;
  /** The scrolling box of the grid, to measure it. */
  box?: RefObject<HTMLDivElement | null> | undefined;
};

const none: never[] = [];

/** A table that filters, sorts and exports on the client; cards on phones and where the table does not fit; above 200 rows it renders only those near the viewport. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { rows, filter = '', onFilterChange, isFiltered = false, onClearFilters } = props;
  const shown = useMatchingRows(props);
  useAnnounceMatches(filter, shown.length, rows?.length ?? 0);
  const isNarrow = useNarrow();
  const { frame, box, isFitting } = useTableFit(props.columns, shown);
  const hasFilter = filter !== '' || isFiltered;
  if (rows !== undefined && rows.length === 0 && !hasFilter) return <>{props.empty}</>;
  const Body = isNarrow || !isFitting ? DataCards : DataGrid;
  return (
    <div ref={frame} className="min-w-0">
      <TableBar {...props} shown={shown} />
      {rows === undefined ? (
        <TableSkeleton columns={props.columns} isFlush={props.isFlush} label={props.label} />
      ) : shown.length === 0 ? (
        <NothingMatches onClear={onFilterChange || onClearFilters ? clear : undefined} />
      ) : (
        <Body {...props} rows={shown} isLong={isLong(rows.length)} box={box} />
      )}
    </div>
  );

  function clear(): void {
    onFilterChange?.('');
    onClearFilters?.();
  }
}

function useMatchingRows<Row extends object>({
  rows,
  columns,
  sort,
  filter = '',
  onFilterChange,
  isServerSide = false,
}: DataTableProps<Row>): readonly Row[] {
  // Sorts before it filters, so that typing does not sort again.
  const sorted = useSortedRows(rows ?? none, columns, isServerSide ? undefined : sort);
  const searched = isServerSide ? '' : filter;
  const shown = useMemo(() => filterRows(sorted, columns, searched), [sorted, columns, searched]);
  const isSearchable = onFilterChange !== undefined && !isServerSide;
  useEffect(
    () => (isSearchable ? prepareFilter(rows ?? [], columns) : undefined),
    [isSearchable, rows, columns],
  );
  return shown;
}

// Announces the number of matches once typing pauses.
function useAnnounceMatches(filter: string, shown: number, total: number): void {
  useEffect(() => {
    if (filter === '') return;
    const timer = window.setTimeout(() => announce(uiCopy.table.filtered(shown, total)), 600);
    return () => window.clearTimeout(timer);
  }, [filter, shown, total]);
}

function TableBar<Row extends object>({
  label,
  filter = '',
  onFilterChange,
  filterLabel = `${uiCopy.field.filter} ${label.toLowerCase()}`,
  filters,
  aside,
  csvName,
  columns,
  shown,
  isFlush = false,
}: DataTableProps<Row> & { shown: readonly Row[] }) {
  if (onFilterChange === undefined && filters === undefined && aside === undefined && csvName === undefined)
    return null;
  return (
    <div className={`flex flex-wrap items-center gap-2 pb-3.5 ${isFlush ? 'px-4.5 pt-3.5' : ''}`}>
      {onFilterChange !== undefined && (
        <SearchField
          label={filterLabel}
          value={filter}
          onValueChange={onFilterChange}
          className="w-full sm:w-75"
        />
      )}
      {filters}
      <div className="ms-auto flex items-center gap-4">
        {aside}
        {csvName !== undefined && <CsvButton {...{ columns, csvName }} rows={shown} />}
      </div>
    </div>
  );
}

function NothingMatches({ onClear }: { onClear: (() => void) | undefined }) {
  return (
    <div className="rounded-card border border-line bg-surface">
      <EmptyState
        title={uiCopy.table.noMatchTitle}
        text={uiCopy.table.noMatchText}
        action={onClear !== undefined && <Button onClick={onClear}>{uiCopy.table.clearFilters}</Button>}
      />
    </div>
  );
}
