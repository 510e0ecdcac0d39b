import type { QueryKey } from '@tanstack/react-query';
import { failureOf, moreLiveRows } from './more-live-rows.ts';
import type { RowSource } from './row-source.ts';
import { type PageAnswer, type PagedView, useLivePages } from './use-live-pages.ts';

/** The rows of a list that the hub answers page by page, of which those in sight follow changes. */
export function liveRows<Answer extends PageAnswer, Key extends QueryKey, Row>(
  view: Omit<PagedView<Answer, Key, Row>, 'isEnabled'>,
): RowSource<Row> {
  return function useLiveRows() {
    const pages = useLivePages({ ...view, isEnabled: true });
    const { rows, readAllRows, onRowsInSight, loadMore } = pages;
    return {
      rows,
      failure: failureOf(pages),
      isServerSide: true,
      readAllRows,
      onRowsInSight,
      ...(loadMore === undefined ? {} : { more: moreLiveRows(pages, rows?.length ?? 0) }),
    };
  };
}
