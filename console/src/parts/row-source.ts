import type { QueryKey, UseSuspenseQueryOptions } from '@tanstack/react-query';
import { useLoadedQuery } from '../data/use-loaded-query.ts';
import type { ReadAllRows, TableFailure, TableSort } from '../ui/table/data-table.ts';

/** What a table shows of a list. */
export interface TableView {
  readonly filter: string;
  readonly sort: TableSort | undefined;
}

/** The rows of a list for a view of it. */
export interface RowsInView<Row> {
  /** Undefined while loading, and when the first page could not be read. */
  readonly rows: readonly Row[] | undefined;
  /** Why there are no rows. */
  readonly failure?: TableFailure | undefined;
  /** The number of rows in all, where `rows` are only some of them. */
  readonly total?: number;
  /** Whether the source has filtered and sorted the rows; else the table does it in memory. */
  readonly isServerSide?: boolean;
  /** To be told which rows are in sight, by the first and the last index, where only these follow changes. */
  readonly onRowsInSight?: (first: number, last: number) => void;
  /** Reads all rows of the view, for an export; absent where `rows` are all. */
  readonly readAllRows?: ReadAllRows<Row> | undefined;
  /** Loads further rows; absent when the list ends by itself. */
  readonly more?: MoreRows;
}

/** The rest of a list that is read page by page. */
export interface MoreRows {
  readonly label: string;
  /** Undefined at the end of the list, which `end` then says. */
  readonly load: (() => void) | undefined;
  readonly end: string;
  readonly isLoading: boolean;
  /** Why a page could not be read. */
  readonly failure: string | undefined;
}

/**
 * Where a list gets its rows from: a hook, called on every render with what the table shows. A source that reads the whole list leaves
 * filter and sort to the table; one that reads page by page applies the view itself.
 */
export type RowSource<Row> = (view: TableView) => RowsInView<Row>;

/** The rows of a query that reads the whole list; `rowsOf` takes them from its answer. */
export function queryRows<Answer, Key extends QueryKey, Row>(
  query: UseSuspenseQueryOptions<Answer, Error, Answer, Key>,
  rowsOf: (answer: Answer) => readonly Row[],
): RowSource<Row> {
  return function useQueryRows() {
    return { rows: rowsOf(useLoadedQuery(query).data) };
  };
}
