import { partsCopy } from './copy.ts';
import { maxRows } from './paged-rows.ts';
import type { MoreRows } from './row-source.ts';
import type { LivePages } from './use-live-pages.ts';

/** The end of a list that is read page by page, of which `shown` rows are shown; `failure` says why the last page could not be read. */
export function moreLiveRows(
  pages: Pick<LivePages<unknown>, 'loadMore' | 'isPlaceholder' | 'isLoadingMore'>,
  shown: number,
  failure: string | undefined,
): MoreRows {
  const isFull = shown >= maxRows;
  return {
    label: partsCopy.rows.more,
    load: isFull ? undefined : pages.loadMore,
    end: isFull ? partsCopy.rows.firstToFilter(maxRows) : partsCopy.rows.all(shown),
    isLoading: pages.isPlaceholder || pages.isLoadingMore,
    failure,
  };
}
