import {
  type FetchQueryOptions,
  keepPreviousData,
  type QueryKey,
  useQuery,
  type UseSuspenseQueryOptions,
} from '@tanstack/react-query';
import { useState } from 'react';
import { firstDevices } from '../data/queries-projects.ts';
import { useLoadedQuery } from '../data/use-loaded-query.ts';
import { messageOf } from '../ui/form/message-of.ts';
import { partsCopy } from './copy.ts';
import type { MoreRows, RowSource } from './row-source.ts';

/** The number of rows that a long list reads at first, and further ones at a time. */
export const rowsPerPage = firstDevices;
/** No list shows more rows. */
export const maxRows = 10_000;

/** The query of the first `limit` rows of a list. */
export type PageQuery<Answer, Key extends QueryKey> = (
  limit: number,
) => UseSuspenseQueryOptions<Answer, Error, Answer, Key> & FetchQueryOptions<Answer, Error, Answer, Key>;

/**
 * The rows of a list that may be long: a first page, and more on request. Filter and sort, which the table does, read the rest first.
 * `total` is the number of rows in all, where it is known. The loader of the route reads the first page, `rowsPerPage` rows.
 */
export function pagedRows<Answer, Key extends QueryKey, Row>(
  queryOf: PageQuery<Answer, Key>,
  rowsOf: (answer: Answer) => readonly Row[],
  total?: number,
): RowSource<Row> {
  return function usePagedRows({ filter, sort }) {
    const [requestedRows, setRequestedRows] = useState(rowsPerPage);
    const first = useLoadedQuery(queryOf(rowsPerPage)).data;
    const isShort = rowsOf(first).length < rowsPerPage;
    const limit = isShort ? rowsPerPage : filter !== '' || sort !== undefined ? maxRows : requestedRows;
    const { data, isPlaceholderData, error } = useQuery({
      ...queryOf(limit),
      placeholderData: keepPreviousData,
    });
    const rows = rowsOf(data ?? first);
    if (isShort) return { rows };
    const more = moreRows({
      shown: rows.length,
      limit,
      isLoading: isPlaceholderData,
      failure: error === null ? undefined : messageOf(error),
      onRequest: setRequestedRows,
    });
    return { rows, more, total: Math.max(total ?? 0, rows.length) };
  };
}

/** The end of a list of which the first `limit` rows were requested, and `shown` have arrived; `onRequest` requests more. */
export function moreRows({
  shown,
  limit,
  isLoading,
  failure,
  onRequest,
}: {
  shown: number;
  limit: number;
  isLoading: boolean;
  failure: string | undefined;
  onRequest: (rows: number) => void;
}): MoreRows {
  const isEnd = (shown < limit && !isLoading) || shown >= maxRows;
  return {
    label: partsCopy.rows.more,
    load: isEnd ? undefined : () => onRequest(shown + rowsPerPage),
    end: shown >= maxRows ? partsCopy.rows.first(maxRows) : partsCopy.rows.all(shown),
    isLoading,
    failure,
  };
}
