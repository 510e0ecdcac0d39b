import { type ReactNode, useEffect, useMemo } from 'react';
import { en } from '../../copy/en.ts';
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
import { useNarrow } from './use-narrow.ts';
import { isLong } from './use-row-window.ts';
import { useSortedRows } from './use-sorted-rows.ts';

/** What a table is made of. The route holds `sort` and `filter` in the URL. */
export type DataTableProps<Row extends object> = {
  /** What the rows are, e.g. "Devices": the table's accessible name. */
  label: string;
  /** Define them outside the component or memoise them. */
  columns: readonly DataColumn<Row>[];
  /** Undefined while loading. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  /** The name of a row in words, for the accessible name of its menu. */
  rowName?: ((row: Row) => string) | undefined;
  sort?: TableSort | undefined;
  onSortChange?: ((sort: TableSort | undefined) => void) | undefined;
  filter?: string | undefined;
  onFilterChange?: ((filter: string) => void) | undefined;
  filterLabel?: string | undefined;
  /** More filters beside the search, e.g. FilterChips; the route applies them to `rows`. */
  filters?: ReactNode;
  /** Stands at the end of the bar, e.g. a Pen. */
  aside?: ReactNode;
  /** File name of the export, without ".csv"; no export without it. */
  csvName?: string | undefined;
  /** Opens a row: a click anywhere on it, or Enter. */
  onOpen?: ((row: Row) => void) | undefined;
  /** MenuItem and MenuLink parts of a row's menu. */
  rowMenu?: ((row: Row) => ReactNode) | undefined;
  /** What to show when there are no rows at all. */
  empty: ReactNode;
  /** Whether filters of the route hold back rows, so that no rows means nothing matches. */
  isFiltered?: boolean | undefined;
  onClearFilters?: (() => void) | undefined;
  /** Rows to tint once, because they just changed. */
  isChanged?: ((row: Row) => boolean) | undefined;
  /** Without a border of its own, for a table in a Card. */
  isFlush?: boolean | undefined;
};

/** What draws the rows gets: those that match, in their order, and whether the list as a whole is long. */
export type RowsProps<Row extends object> = DataTableProps<Row> & { rows: readonly Row[]; isLong: boolean };

const none: never[] = [];

/** A table over rows that are all here: filter, sort, export; cards on phones; only rows in sight are drawn above 200. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { rows, columns, sort, filter = '', onFilterChange, isFiltered = false, onClearFilters } = props;
  const isFilterable = onFilterChange !== undefined;
  // In this order, so that typing sorts nothing.
  const sorted = useSortedRows(rows ?? none, columns, sort);
  const shown = useMemo(() => filterRows(sorted, columns, filter), [sorted, columns, filter]);
  useEffect(
    () => (isFilterable ? prepareFilter(rows ?? [], columns) : undefined),
    [isFilterable, rows, columns],
  );
  useFilterNews(filter, shown.length, rows?.length ?? 0);
  const isNarrow = useNarrow();
  const isHeldBack = filter !== '' || isFiltered;
  if (rows !== undefined && rows.length === 0 && !isHeldBack) return <>{props.empty}</>;
  const Body = isNarrow ? DataCards : DataGrid;
  return (
    <div className="min-w-0">
      <TableBar {...props} shown={shown} />
      {rows === undefined ? (
        <TableSkeleton columns={columns} isFlush={props.isFlush} label={props.label} />
      ) : shown.length === 0 ? (
        <NothingMatches onClear={onFilterChange || onClearFilters ? clear : undefined} />
      ) : (
        <Body {...props} rows={shown} isLong={isLong(rows.length)} />
      )}
    </div>
  );

  function clear(): void {
    onFilterChange?.('');
    onClearFilters?.();
  }
}

// Says how many rows are left once typing rests.
function useFilterNews(filter: string, shown: number, total: number): void {
  useEffect(() => {
    if (filter === '') return;
    const timer = window.setTimeout(() => announce(en.table.filtered(shown, total)), 600);
    return () => window.clearTimeout(timer);
  }, [filter, shown, total]);
}

function TableBar<Row extends object>({
  label,
  filter = '',
  onFilterChange,
  filterLabel = `${en.field.filter} ${label.toLowerCase()}`,
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
        title={en.table.noMatchTitle}
        text={en.table.noMatchText}
        action={onClear !== undefined && <Button onClick={onClear}>{en.table.clearFilters}</Button>}
      />
    </div>
  );
}
