import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLoadedQuery } from '../data/use-loaded-query.ts';
import { messageOf } from '../ui/form/message-of.ts';
import { formatSort } from '../ui/table/data-table.ts';
import { maxRows, moreRows, type PageQuery, rowsPerPage } from './paged-rows.ts';
import type { RowSource, TableView } from './row-source.ts';

/** How the hub filters and sorts a list: only rows with a text, in an order. */
export interface ServerView<Order extends string> {
  readonly search?: string;
  readonly order?: Order | `-${Order}`;
}

/** The query of the first `limit` rows of a list in which the hub has found a text, in an order; of all rows in the default order without them. */
export type SearchQuery<Answer, Key extends QueryKey, Order extends string> = (
  limit: number,
  view: ServerView<Order>,
) => ReturnType<PageQuery<Answer, Key>>;

interface SearchedList<Row, Answer, Order extends string> {
  readonly rowsOf: (answer: Answer) => readonly Row[];
  /** The columns that the hub sorts by; for the others the first 10,000 rows are read and sorted here. */
  readonly orders: readonly Order[];
  /** The number of rows in all, where it is known. */
  readonly total?: number;
}

/**
 * The rows of a list that may be long: a short list is filtered and sorted here, a long one by the hub. The loader of the route reads the first page
 * without a text.
 */
export function searchedRows<Answer, Key extends QueryKey, Row, Order extends string>(
  queryOf: SearchQuery<Answer, Key, Order>,
  { rowsOf, orders, total }: SearchedList<Row, Answer, Order>,
): RowSource<Row> {
  return function useSearchedRows(view) {
    const [requestedRows, setRequestedRows] = useState(rowsPerPage);
    const first = useLoadedQuery(queryOf(rowsPerPage, {})).data;
    const isShort = rowsOf(first).length < rowsPerPage;
    const serverView = serverViewOf(view, orders);
    const isServerSide = view.sort === undefined || serverView.order !== undefined;
    const limit = isServerSide ? requestedRows : maxRows;
    const { data, isPlaceholderData, error } = useQuery({
      ...(isShort ? queryOf(rowsPerPage, {}) : queryOf(limit, serverView)),
      placeholderData: keepPreviousData,
    });
    // A cleared search, whose list is still on its way, must not keep showing that nothing was found: an empty list has no field to type in.
    const found = data === undefined ? [] : rowsOf(data);
    const isStaleEmpty = isPlaceholderData && serverView.search === undefined && found.length === 0;
    const rows = data === undefined || isStaleEmpty ? rowsOf(first) : found;
    if (isShort) return { rows };
    const more = moreRows({
      shown: rows.length,
      limit,
      isLoading: isPlaceholderData,
      failure: error === null ? undefined : messageOf(error),
      onRequest: setRequestedRows,
    });
    return { rows, more, isServerSide, total: Math.max(total ?? 0, rows.length) };
  };
}

function serverViewOf<Order extends string>(
  { filter, sort }: TableView,
  orders: readonly Order[],
): ServerView<Order> {
  const search = filter.trim();
  const isOrder = orders.some((order) => order === sort?.id);
  return {
    ...(search === '' ? {} : { search }),
    ...(isOrder ? { order: formatSort(sort) as Order | `-${Order}` } : {}),
  };
}
