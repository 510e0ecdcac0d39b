import {
  type FetchQueryOptions,
  type QueryKey,
  useQueries,
  useQueryClient,
  type UseQueryOptions,
} from '@tanstack/react-query';
import { type Dispatch, type SetStateAction, useCallback, useMemo, useState } from 'react';
import type { ReadAllRows } from '../ui/table/data-table.ts';
import { mergePages, pagesOfRows, type ReadPage } from './merge-pages.ts';
import { readAllRows } from './read-all-rows.ts';
import { useRemember, useRemembered } from './use-remembered.ts';

/** A page of a list, with the cursor of the next one. */
export interface PageAnswer {
  readonly next?: string | undefined;
}

/** A list that the hub answers page by page: how a page is asked for, and what is in it. */
export interface PagedView<Answer extends PageAnswer, Key extends QueryKey, Row> {
  /** The query of the page after a cursor, or of the first one. */
  readonly queryOf: (
    after: string | undefined,
  ) => UseQueryOptions<Answer, Error, Answer, Key> & FetchQueryOptions<Answer, Error, Answer, Key>;
  readonly rowsOf: (answer: Answer) => readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly isEnabled: boolean;
  /** Whether the list begins with its first page each time that it shows; else with all that it had, for example after Back. */
  readonly isForgotten?: boolean;
}

/** The rows of a list of which only the pages in sight follow its changes. */
export interface LivePages<Row> {
  /** The rows of the pages that were read; while the first one of another view is read, those of the view before. Undefined when it could not be read. */
  readonly rows: readonly Row[] | undefined;
  /** The key of the view that `rows` are of. */
  readonly view: string;
  /** Whether `rows` are those of the view before. */
  readonly isPlaceholder: boolean;
  /** Why the first of the pages that have failed could not be read, or not again: the rows of a page that was read before stay. */
  readonly error: Error | null;
  /** Reads that page again. */
  readonly retry: () => void;
  readonly isLoadingMore: boolean;
  /** Reads the next page, and the one that has failed; undefined at the end of the list. */
  readonly loadMore: (() => void) | undefined;
  /** Reads all rows of the view; undefined where `rows` are all. */
  readonly readAllRows: ReadAllRows<Row> | undefined;
  /** To be told which rows are in sight, by the first and the last index. */
  readonly onRowsInSight: (first: number, last: number) => void;
}

interface Known<Answer> {
  readonly view: string;
  readonly pages: readonly ReadPage<Answer>[];
}

// A page whose cursor has changed is not asked for again.
const pageGcMs = 10_000;

/**
 * Reads a long list page by page. A change refetches the pages in sight, the others when they come into sight. Each page begins where the
 * one before ends now, so that no row in sight is missing or there twice.
 */
export function useLivePages<Answer extends PageAnswer, Key extends QueryKey, Row>({
  queryOf,
  rowsOf,
  keyOf,
  isEnabled,
  isForgotten = false,
}: PagedView<Answer, Key, Row>): LivePages<Row> {
  const readAll = useReadAllRows(queryOf, rowsOf, keyOf);
  const view = JSON.stringify(queryOf(undefined).queryKey);
  const [sight, setSight] = useState({ first: 0, last: 0 });
  const { known, setKnown, before, wanted, setWanted } = useKnownPages<Answer>(
    view,
    isEnabled && !isForgotten,
  );
  const cursors = cursorsOf(before, wanted);
  const results = useQueries({
    queries: cursors.map((after, index) => ({
      ...queryOf(after),
      ...(after === undefined ? {} : { gcTime: pageGcMs }),
      enabled: isEnabled && (isBetween(index, sight) || before[index] === undefined),
    })),
  });
  const pages = latestPages(results, before);
  const failed = results.find((result) => result.error !== null);
  // A view that cannot be read has no rows: those of the view before are not its own, and do not come back while it is tried again.
  const isSettled = pages.length > 0 || failed !== undefined;
  if (isSettled && (known.view !== view || isChanged(pages, known.pages))) setKnown({ view, pages });
  // `rowsOf`, `keyOf`: unstable identity, same behaviour.
  // oxlint-disable-next-line react/exhaustive-deps
  const { rows, ends } = useMemo(() => mergePages(known.pages, rowsOf, keyOf), [known]);
  const onRowsInSight = useSightOf(ends, setSight);
  const retry = () => void failed?.refetch();
  const loadMore = () => {
    // The page that has failed is already wanted, and would otherwise be read again only at the next interval.
    retry();
    setWanted({ view, pages: pages.length + 1 });
  };
  const isComplete = pages.length === cursors.length;
  const isWhole = isComplete && pages.at(-1)?.answer.next === undefined;
  return {
    rows: known.pages.length === 0 ? undefined : rows,
    view: known.view,
    isPlaceholder: !isSettled,
    error: failed?.error ?? null,
    retry,
    isLoadingMore: !isComplete && failed === undefined,
    loadMore: isWhole ? undefined : loadMore,
    readAllRows: isWhole ? undefined : readAll,
    onRowsInSight,
  };
}

/** The pages that were read last, and for a view how many are wanted and what is known of them: at first what the list had when it was left. */
function useKnownPages<Answer extends PageAnswer>(view: string, isRemembered: boolean) {
  const remembered = useRemembered<Known<Answer>['pages']>(view);
  const left = (isRemembered ? remembered : undefined) ?? [];
  const [known, setKnown] = useState<Known<Answer>>({ view, pages: left });
  const [wanted, setWanted] = useState({ view, pages: left.length });
  const before = known.view === view ? known.pages : left;
  // A single page is read again as fast.
  useRemember(view, isRemembered && known.view === view && before.length > 1 ? before : undefined);
  return {
    known,
    setKnown,
    before,
    wanted: wanted.view === view ? wanted.pages : before.length,
    setWanted,
  };
}

/** A function that takes the rows in sight, by the first and the last index, and sets the pages that they are on. */
function useSightOf(
  ends: readonly number[],
  setSight: Dispatch<SetStateAction<{ first: number; last: number }>>,
): (first: number, last: number) => void {
  return useCallback(
    (first, last) => {
      const next = pagesOfRows(ends, first, last);
      setSight((now) => (now.first === next.first && now.last === next.last ? now : next));
    },
    [ends, setSight],
  );
}

function useReadAllRows<Answer extends PageAnswer, Key extends QueryKey, Row>(
  queryOf: PagedView<Answer, Key, Row>['queryOf'],
  rowsOf: (answer: Answer) => readonly Row[],
  keyOf: (row: Row) => string,
): ReadAllRows<Row> {
  const client = useQueryClient();
  return readAllRows(async (after: string | undefined) => {
    const answer = await client.fetchQuery({ ...queryOf(after), gcTime: pageGcMs });
    return { rows: rowsOf(answer), next: answer.next };
  }, keyOf);
}

/** Where the wanted pages begin, at least the first one, as far as the pages before them were read. */
function cursorsOf<Answer extends PageAnswer>(
  pages: readonly ReadPage<Answer>[],
  wanted: number,
): readonly (string | undefined)[] {
  const cursors: (string | undefined)[] = [undefined];
  for (const { answer } of pages.slice(0, Math.max(0, wanted - 1))) {
    if (answer.next === undefined) break;
    cursors.push(answer.next);
  }
  return cursors;
}

/** The pages as they were read last, up to the first that was never read. */
function latestPages<Answer>(
  results: readonly { readonly data: Answer | undefined; readonly dataUpdatedAt: number }[],
  before: readonly ReadPage<Answer>[],
): ReadPage<Answer>[] {
  const pages: ReadPage<Answer>[] = [];
  for (const [index, { data, dataUpdatedAt }] of results.entries()) {
    const page = data === undefined ? before[index] : { answer: data, readAtMs: dataUpdatedAt };
    if (page === undefined) break;
    pages.push(page);
  }
  return pages;
}

function isChanged<Answer>(pages: readonly ReadPage<Answer>[], before: readonly ReadPage<Answer>[]): boolean {
  return (
    pages.length !== before.length ||
    pages.some(
      ({ answer, readAtMs }, index) =>
        answer !== before[index]?.answer || readAtMs !== before[index]?.readAtMs,
    )
  );
}

function isBetween(index: number, { first, last }: { first: number; last: number }): boolean {
  return index >= first && index <= last;
}
