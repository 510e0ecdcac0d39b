import { messageOf } from '../ui/form/message-of.ts';
import type { TableFailure } from '../ui/table/data-table.ts';
import { partsCopy } from './copy.ts';
import { maxRows } from './list-limits.ts';
import type { MoreRows } from './row-source.ts';
import type { LivePages } from './use-live-pages.ts';

/** Why a list that is read page by page has no rows; undefined while it has some: then its end says why a page could not be read. */
export function failureOf({
  rows,
  error,
  retry,
}: Pick<LivePages<unknown>, 'rows' | 'error' | 'retry'>): TableFailure | undefined {
  return rows === undefined && error !== null ? { error, onRetry: retry } : undefined;
}

/** The end of a list that is read page by page, of which `shown` rows are shown. */
export function moreLiveRows(
  pages: Pick<LivePages<unknown>, 'loadMore' | 'isPlaceholder' | 'isLoadingMore' | 'error'>,
  shown: number,
): MoreRows {
  const isFull = shown >= maxRows;
  return {
    label: partsCopy.rows.more,
    load: isFull ? undefined : pages.loadMore,
    end: isFull ? partsCopy.rows.firstToFilter(maxRows) : partsCopy.rows.all(shown),
    isLoading: pages.isPlaceholder || pages.isLoadingMore,
    failure: pages.error === null ? undefined : messageOf(pages.error),
  };
}
