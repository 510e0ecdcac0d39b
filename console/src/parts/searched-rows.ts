import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLoadedQuery } from '../data/use-loaded-query.ts';
import { messageOf } from '../ui/form/message-of.ts';
import { maxRows, moreRows, type PageQuery, rowsPerPage } from './paged-rows.ts';
import type { RowSource } from './row-source.ts';

/** The query of the first `limit` rows of a list in which the hub has found a text; of all rows without one. */
export type SearchQuery<Answer, Key extends QueryKey> = (
  limit: number,
  search: string | undefined,
) => ReturnType<PageQuery<Answer, Key>>;

/**
 * The rows of a list that may be long and that the hub searches: a short list is filtered here, of a long one the hub is asked for what
 * is found. To sort, the rest is read first. The loader of the route reads the first page without a text.
 */
export function searchedRows<Answer, Key extends QueryKey, Row>(
  queryOf: SearchQuery<Answer, Key>,
  rowsOf: (answer: Answer) => readonly Row[],
): RowSource<Row> {
  return function useSearchedRows({ filter, sort }) {
    const [requestedRows, setRequestedRows] = useState(rowsPerPage);
    const first = useLoadedQuery(queryOf(rowsPerPage, undefined)).data;
    const isShort = rowsOf(first).length < rowsPerPage;
    const text = filter.trim();
    const limit = sort === undefined ? requestedRows : maxRows;
    const { data, isPlaceholderData, error } = useQuery({
      ...(isShort ? queryOf(rowsPerPage, undefined) : queryOf(limit, text === '' ? undefined : text)),
      placeholderData: keepPreviousData,
    });
    // A cleared search, whose list is still on its way, must not keep showing that nothing was found: an empty list has no field to type in.
    const rows = rowsOf(data === undefined || (isPlaceholderData && text === '') ? first : data);
    if (isShort) return { rows };
    const more = moreRows({
      shown: rows.length,
      limit,
      isLoading: isPlaceholderData,
      failure: error === null ? undefined : messageOf(error),
      onRequest: setRequestedRows,
    });
    return { rows, more };
  };
}
