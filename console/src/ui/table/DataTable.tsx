import { type ReactNode, type Ref, useDeferredValue, useEffect, useId, useMemo } from 'react';
import { tableCopy } from './copy.ts';
import { uiCopy } from '../copy.ts';
import { Button } from '../action/Button.tsx';
import { SearchField, type SearchFieldProps } from '../form/SearchField.tsx';
import { EmptyState } from '../layout/EmptyState.tsx';
import { ErrorScreen } from '../layout/ErrorScreen.tsx';
import { announce } from '../text/announce.ts';
import type { RowAction } from './columns.tsx';
import type { ColumnChoice } from './column-choice.ts';
import { shownColumns } from './shown-columns.ts';
import type { DataColumn, ReadAllRows, TableFailure, TableSort } from './data-table.ts';
import { DataCards } from './DataCards.tsx';
import { DataGrid } from './DataGrid.tsx';
import { type FilterMistake, MistakeInFilter } from './MistakeInFilter.tsx';
import { downloadRows } from './download-rows.ts';
import { filterRows, prepareFilter } from './filter-rows.ts';
import { SelectionBar } from './SelectionBar.tsx';
import { TableMenu } from './TableMenu.tsx';
import { TableSkeleton } from './TableSkeleton.tsx';
import { actionsWhenSaved } from './unsaved-row.ts';
import { useTableFit } from './use-table-fit.ts';
import { type RowSelection, useRowSelection } from './use-row-selection.ts';
import { useNarrow } from './use-narrow.ts';
import { usePrinting } from './use-printing.ts';
import { isLong } from './use-row-window.ts';
import { sortedValue, sortRows } from './sort-rows.ts';
import { useSortedRows } from './use-sorted-rows.ts';

/** The props of a table. The route keeps `sort` and `filter` in the URL. */
export type DataTableProps<Row extends object> = {
  /** The accessible name of the table, e.g. "Devices". */
  label: string;
  /** Define them outside the component or memoise them. */
  columns: readonly DataColumn<Row>[];
  /** Undefined while loading, and with a `failure`. */
  rows: readonly Row[] | undefined;
  /** Shown in place of the rows when they could not be read; the filter stays. */
  failure?: TableFailure | undefined;
  rowKey: (row: Row) => string;
  /** Which of the optional columns are shown; the default ones without it. */
  columnChoice?: ColumnChoice | undefined;
  /** With it the menu of the toolbar has these columns. */
  onColumnChoiceChange?: ((choice: ColumnChoice | undefined) => void) | undefined;
  /** The name of a row, for the accessible name of its menu. */
  rowName?: ((row: Row) => string) | undefined;
  sort?: TableSort | undefined;
  onSortChange?: ((sort: TableSort | undefined) => void) | undefined;
  filter?: string | undefined;
  onFilterChange?: ((filter: string) => void) | undefined;
  filterLabel?: string | undefined;
  /** The field of the filter instead of a SearchField. */
  filterField?: ((field: SearchFieldProps) => ReactNode) | undefined;
  /** What is wrong with the filter; `rows` are then those of an earlier one. */
  filterMistake?: FilterMistake | undefined;
  /** More filters beside the search, e.g. FilterChips; the route applies them to `rows`. */
  filters?: ReactNode;
  /** The first items of the menu at the end of the toolbar. */
  menu?: ReactNode;
  /** File name of the export, without ".csv"; no export without it. */
  csvName?: string | undefined;
  /** Reads the rows for the export, where `rows` are only the first of them. Filter and order are applied to them as to `rows`. */
  readAllRows?: ReadAllRows<Row> | undefined;
  /** Called on a click anywhere on a row, or on Enter. */
  onOpen?: ((row: Row) => void) | undefined;
  /** The MenuItem and MenuLink elements of a row's menu. */
  rowMenu?: ((row: Row) => ReactNode) | undefined;
  /** The actions on the selected rows; without it rows cannot be selected. */
  bulkActions?: ((rows: readonly Row[], isAllMatching: boolean) => readonly RowAction[]) | undefined;
  /** What there is beyond `rows`, such as "all 12,000 that match" a filter, which can then be selected too; undefined where `rows` are all. */
  allMatching?: { readonly label: string; readonly filter: string } | undefined;
  /** Shown when there are no rows at all. */
  empty: ReactNode;
  /** Whether filters of the route hide rows, so that no rows means that nothing matches. */
  isFiltered?: boolean | undefined;
  onClearFilters?: (() => void) | undefined;
  /** Whether `rows` are already filtered and sorted by `filter` and `sort`, as by the hub; else the table does it. */
  isServerSide?: boolean | undefined;
  /** Called with the indexes of the first and the last row in sight whenever these or the rows change. */
  onRowsInSight?: ((first: number, last: number) => void) | undefined;
  /** Whether rows have different heights, such as those with long texts: of a long list each is measured then, and none is cut to one line. */
  isMultiline?: boolean | undefined;
  /** Whether to tint a row once, because it just changed. */
  isChanged?: ((row: Row) => boolean) | undefined;
  /** Omits the border, for a table in a Card. */
  isFlush?: boolean | undefined;
};

/** The props of DataGrid and DataCards: the matching rows in their order, and whether the unfiltered list is long. */
export type RowsProps<Row extends object> = DataTableProps<Row> & {
  rows: readonly Row[];
  isLong: boolean;
  /** Whether the table is close set, so that it fits. */
  isTight: boolean;
  selection?: RowSelection<Row> | undefined;
  /** The scrolling box of the grid, to measure it. */
  box?: Ref<HTMLDivElement> | undefined;
};

const none: never[] = [];

/** A table that filters, sorts and exports on the client; cards on phones and where the table does not fit; above 200 rows it renders only those near the viewport. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { onFilterChange, onClearFilters, bulkActions } = props;
  const { rows, shown, hasFilter } = useMatchingRows(props);
  useAnnounceFilter(props, shown.length);
  const selection = useRowSelection(shown, props.rowKey, props.allMatching?.filter);
  const isNarrow = useNarrow();
  const isPrinting = usePrinting();
  // Hidden columns are filtered and sorted by, too.
  const columns = useShownColumns(props);
  const onCards = useMemo(
    () => props.columns.filter((column) => column.isOnEveryCard === true || columns.includes(column)),
    [props.columns, columns],
  );
  const isLongList = isLong(rows?.length ?? 0);
  const { frame, box, fit } = useTableFit({ columns, isLong: isLongList }, shown);
  const isTight = fit === 'tight table';
  const needed = useMemo(() => columns.filter(({ isExtra = false }) => !isExtra), [columns]);
  if (rows !== undefined && rows.length === 0 && !hasFilter) return <>{props.empty}</>;
  const isTooWideForPaper = isPrinting && columns.some((column) => column.isTooWideForPaper);
  const Body = isNarrow || fit === 'cards' || isTooWideForPaper ? DataCards : DataGrid;
  return (
    <div ref={frame} className="flex min-w-0 flex-col">
      <TableBar {...props} shown={shown} shownColumns={columns} arrange={(read) => arranged(props, read)} />
      {bulkActions !== undefined && selection.rows.length > 0 && (
        <SelectionBar
          count={selection.rows.length}
          total={shown.length}
          actions={actionsWhenSaved(bulkActions(selection.rows, selection.isAllMatching), selection.rows)}
          onSelectAll={() => selection.toggleAll(true)}
          allMatching={props.allMatching?.label}
          isAllMatching={selection.isAllMatching}
          onSelectAllMatching={selection.selectAllMatching}
          onClear={selection.clear}
          isFlush={props.isFlush}
        />
      )}
      {rows === undefined ? (
        <NoRows {...props} columns={columns} />
      ) : shown.length === 0 ? (
        <NothingMatches
          isFlush={props.isFlush === true}
          onClear={onFilterChange || onClearFilters ? clear : undefined}
        />
      ) : (
        <Body
          {...props}
          {...{ rows: shown, box, isTight }}
          columns={Body === DataCards ? onCards : isTight ? needed : columns}
          isLong={isLongList}
          selection={bulkActions && selection}
        />
      )}
    </div>
  );

  function clear(): void {
    onFilterChange?.('');
    onClearFilters?.();
  }
}

function useShownColumns<Row extends object>({
  columns,
  columnChoice,
}: DataTableProps<Row>): readonly DataColumn<Row>[] {
  // Compared by value: a route that parses its choice from the URL passes a new list with each render.
  const key = columnChoice?.join(' ');
  return useMemo(() => shownColumns(columns, key?.split(' ')), [columns, key]);
}

/** The rows, those of them to show in their order, and whether a filter hides others. Deferred, so that a click on a head or a chip shows before the rows that follow from it. */
function useMatchingRows<Row extends object>({
  rows,
  columns,
  sort,
  filter = '',
  onFilterChange,
  isFiltered = false,
  isServerSide = false,
}: DataTableProps<Row>) {
  // Sorts before it filters, so that typing does not sort again.
  const sorted = useSortedRows(rows ?? none, columns, isServerSide ? undefined : sort);
  const searched = isServerSide ? '' : filter;
  const matching = useMemo(
    () => ({ rows, shown: filterRows(sorted, columns, searched), hasFilter: filter !== '' || isFiltered }),
    [rows, sorted, columns, searched, filter, isFiltered],
  );
  const isSearchable = onFilterChange !== undefined && !isServerSide;
  useEffect(
    () => (isSearchable ? prepareFilter(rows ?? [], columns) : undefined),
    [isSearchable, rows, columns],
  );
  return useDeferredValue(matching);
}

/** Filters and sorts rows as `useMatchingRows` does, once. */
function arranged<Row extends object>(
  { columns, sort, filter = '', isServerSide = false }: DataTableProps<Row>,
  rows: readonly Row[],
): readonly Row[] {
  if (isServerSide) return rows;
  const value = sortedValue(columns, sort);
  const sorted = value === undefined ? rows : sortRows(rows, value, sort?.isDescending ?? false);
  return filterRows(sorted, columns, filter);
}

// Announces the number of matches, or the mistake in the filter, once typing pauses.
function useAnnounceFilter<Row extends object>(
  { filter = '', filterMistake, rows }: DataTableProps<Row>,
  shown: number,
): void {
  const sentence = filterMistake?.sentence;
  const total = rows?.length ?? 0;
  const hasRows = rows !== undefined;
  useEffect(() => {
    if (filter === '' || (!hasRows && sentence === undefined)) return;
    const timer = window.setTimeout(() => announce(sentence ?? tableCopy.filtered(shown, total)), 600);
    return () => window.clearTimeout(timer);
  }, [filter, sentence, hasRows, shown, total]);
}

function TableBar<Row extends object>({
  label,
  filter = '',
  onFilterChange,
  filterLabel = `${uiCopy.field.filter} ${label.toLowerCase()}`,
  filterField = (field) => <SearchField {...field} />,
  filterMistake,
  filters,
  menu,
  csvName,
  readAllRows,
  arrange,
  columns,
  columnChoice,
  onColumnChoiceChange,
  shown,
  shownColumns: exported,
  isFlush = false,
}: DataTableProps<Row> & {
  shown: readonly Row[];
  shownColumns: readonly DataColumn<Row>[];
  arrange: (rows: readonly Row[]) => readonly Row[];
}) {
  const mistakeId = useId();
  const isExportAlone = [onFilterChange, filters, menu, onColumnChoiceChange].every(
    (part) => part === undefined,
  );
  const hasMenu = [menu, csvName, onColumnChoiceChange].some((part) => part !== undefined);
  if (isExportAlone && csvName === undefined) return null;
  // The export is hidden on phones, and so is a bar without anything else.
  const classes = `${isExportAlone ? 'max-sm:hidden' : ''} ${isFlush ? 'px-4.5 pt-3.5' : ''}`;
  return (
    <div className={`flex items-start gap-2 pb-3.5 ${classes}`}>
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
        {onFilterChange !== undefined &&
          filterField({
            label: filterLabel,
            value: filter,
            onValueChange: onFilterChange,
            errorId: filterMistake && mistakeId,
            className: 'w-full sm:w-75',
          })}
        {filterMistake !== undefined && <MistakeInFilter id={mistakeId} mistake={filterMistake} />}
        {filters}
      </div>
      {hasMenu && (
        <TableMenu
          {...{ label, columns }}
          items={menu}
          choice={columnChoice}
          onChoiceChange={onColumnChoiceChange}
          onDownload={
            csvName === undefined
              ? undefined
              : () => downloadRows({ csvName, readAllRows, arrange, columns: exported, rows: shown })
          }
        />
      )}
    </div>
  );
}

function NoRows<Row extends object>({ failure, columns, label, isFlush = false }: DataTableProps<Row>) {
  if (failure === undefined) return <TableSkeleton {...{ columns, label, isFlush }} />;
  return (
    <div className={isFlush ? 'p-4.5 pt-1' : 'rounded-card border border-line bg-surface p-4.5'}>
      <ErrorScreen error={failure.error} onRetry={failure.onRetry} level={isFlush ? 3 : 2} />
    </div>
  );
}

function NothingMatches({ isFlush, onClear }: { isFlush: boolean; onClear: (() => void) | undefined }) {
  return (
    <div className={isFlush ? '' : 'rounded-card border border-line bg-surface'}>
      <EmptyState
        level={isFlush ? 3 : 2}
        title={tableCopy.noMatchTitle}
        text={tableCopy.noMatchText}
        action={onClear !== undefined && <Button onClick={onClear}>{tableCopy.clearFilters}</Button>}
      />
    </div>
  );
}
