import type { FetchQueryOptions, QueryKey, UseSuspenseQueryOptions } from '@tanstack/react-query';
import { useLoadedQuery } from '../data/use-loaded-query.ts';
import { formatSort } from '../ui/table/data-table.ts';
import { failureOf, moreLiveRows } from './more-live-rows.ts';
import type { RowSource, TableView } from './row-source.ts';
import { useLivePages } from './use-live-pages.ts';

/** How the hub filters, sorts and cuts a list: only rows with a text, in an order, after a cursor. */
export interface ServerView<Order extends string> {
  readonly search?: string;
  readonly order?: Order | `-${Order}`;
  readonly after?: string;
}

/** The query of one page; of the first one of all rows in the default order without a view. */
type SearchQuery<Answer, Key extends QueryKey, Order extends string> = (
  view: ServerView<Order>,
) => UseSuspenseQueryOptions<Answer, Error, Answer, Key> & FetchQueryOptions<Answer, Error, Answer, Key>;

interface SearchedList<Row, Answer, Order extends string> {
  readonly rowsOf: (answer: Answer) => readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The columns that can be sorted by; the hub knows all of them. */
  readonly orders: readonly Order[];
  /** The number of rows in all, where it is known. */
  readonly total?: number;
}

/**
 * The rows of a list that may be long: a short list is filtered and sorted here, a long one by the hub, and of its pages those in sight follow changes. The loader of the
 * route reads the first page without a text.
 */
export function searchedRows<
  Answer extends { readonly next?: string | undefined },
  Key extends QueryKey,
  Row,
  Order extends string,
>(
  queryOf: SearchQuery<Answer, Key, Order>,
  { rowsOf, keyOf, orders, total }: SearchedList<Row, Answer, Order>,
): RowSource<Row> {
  return function useSearchedRows(view) {
    const answer = useLoadedQuery(queryOf({})).data;
    const first = rowsOf(answer);
    const isShort = answer.next === undefined;
    const serverView = serverViewOf(view, orders);
    const pages = useLivePages({
      queryOf: (after) => queryOf({ ...serverView, ...(after === undefined ? {} : { after }) }),
      rowsOf,
      keyOf,
      isEnabled: !isShort,
    });
    if (isShort) return { rows: first };
    const { rows: found, isPlaceholder, readAllRows, onRowsInSight } = pages;
    // A cleared search, whose list is still on its way, must not keep showing that nothing was found: an empty list has no field to type in.
    const isStaleEmpty = isPlaceholder && serverView.search === undefined && found?.length === 0;
    const rows = isStaleEmpty ? first : found;
    const shown = (rows ?? first).length;
    return {
      rows,
      failure: failureOf(pages),
      more: moreLiveRows(pages, shown),
      isServerSide: true,
      readAllRows,
      onRowsInSight,
      total: Math.max(total ?? 0, shown),
    };
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
