import { checkFilter, type FilterFields, testsOf } from '@corral/contract';
import type { QueryKey, UseQueryOptions } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { LogSearchPage } from '../../data/queries-projects.ts';
import { hasConditions } from '../../parts/has-conditions.ts';
import { failureOf, moreLiveRows } from '../../parts/more-live-rows.ts';
import type { MoreRows, RowsInView } from '../../parts/row-source.ts';
import { useAskedFilter } from '../../parts/use-asked-filter.ts';
import { type LivePages, useLivePages } from '../../parts/use-live-pages.ts';
import type { DataColumn } from '../../ui/table/data-table.ts';
import { filterRows } from '../../ui/table/filter-rows.ts';
import type { FilterMistake } from '../../ui/table/MistakeInFilter.tsx';
import { logCopy } from './copy.ts';
import { type LogPages, logPageSize } from './use-log-pages.ts';

/** How the hub searches a log. */
export interface LogSearchSource<Answer, Key extends QueryKey> {
  readonly fields: FilterFields;
  /** What is sent for the typed filter, which may be a part of it. */
  readonly sentOf: (typed: string) => string;
  readonly searchQuery: (page: LogSearchPage) => UseQueryOptions<Answer, Error, Answer, Key>;
}

interface LoadedLog<Row> {
  readonly log: LogPages<Row>;
  /** Those of the loaded entries that pass the other filters of the page. */
  readonly loaded: readonly Row[];
  /** Whether an entry passes them once it is loaded; all do by default. */
  readonly isShown?: ((row: Row) => boolean) | undefined;
  readonly columns: readonly DataColumn<Row>[];
  readonly idOf: (row: Row) => string;
  /** The label of the button that loads older entries. */
  readonly older: string;
}

/** The entries of a log that pass the typed filter. */
export interface SearchedLog<Row> extends RowsInView<Row> {
  readonly mistake: FilterMistake | undefined;
  /** Where the words of the filter were not looked for; undefined if they were looked for everywhere. */
  readonly limits: string | undefined;
  /** Whether new entries wait until they are asked for; those that the hub finds for conditions show at once. */
  readonly hasWaiting: boolean;
}

/**
 * Searches a log. Conditions are checked by the hub. Words alone are looked for in all columns of the loaded entries, and by the hub in
 * the types of the older ones. While the filter has a mistake, the last entries stay.
 */
export function useSearchedLog<
  Row extends { readonly createdAt: string },
  Answer extends { readonly next?: string | undefined },
  Key extends QueryKey,
>(
  q: string,
  { log, loaded, isShown = () => true, columns, idOf, older }: LoadedLog<Row>,
  {
    fields,
    sentOf,
    searchQuery,
    rowsOf,
  }: LogSearchSource<Answer, Key> & { readonly rowsOf: (answer: Answer) => readonly Row[] },
): SearchedLog<Row> {
  const { asked, mistake } = useAskedFilter(q, fields, sentOf);
  const isOfWords = !hasConditions(asked, fields);
  const isByHub = asked.trim() !== '' && (!isOfWords || log.hasOlder);
  const [isOpenedFiltered] = useState(isByHub);
  const pages = useLivePages({
    queryOf: (after) =>
      searchQuery({ filter: sentOf(asked), limit: logPageSize, ...(after === undefined ? {} : { after }) }),
    rowsOf,
    keyOf: idOf,
    isEnabled: isByHub,
  });
  const found = isByHub ? pages.rows : undefined;
  const words = isOfWords ? asked : '';
  const withWords = useMemo(
    () => filterRows([...loaded, ...olderThan(log.entries, found ?? [], idOf)], columns, words),
    [loaded, log.entries, found, columns, words, idOf],
  );
  const shared = { isServerSide: true, mistake, limits: limitsOf(asked, { fields, isOfWords, log }) };
  if (!isOfWords)
    return { ...shared, ...passing(pages, { shown: isOpenedFiltered ? undefined : loaded, older }) };
  const { readAllRows: readAllEntries } = log;
  const readAllRows: typeof readAllEntries =
    readAllEntries &&
    (async (reading) => {
      const { rows, isCut } = await readAllEntries(reading);
      return { rows: filterRows(rows.filter(isShown), columns, words), isCut };
    });
  const isUnknown = isByHub && pages.isPlaceholder && withWords.length === 0;
  return {
    ...shared,
    rows: isUnknown ? undefined : withWords,
    readAllRows,
    hasWaiting: true,
    ...moreOf(log, isByHub ? pages : undefined, { shown: withWords.length, older }),
  };
}

/** The entries that pass conditions; before the first answer those that are shown. */
function passing<Row>(
  pages: LivePages<Row>,
  { shown, older }: { shown: readonly Row[] | undefined; older: string },
): RowsInView<Row> & { readonly hasWaiting: boolean } {
  const rows = pages.rows ?? (pages.error === null ? shown : undefined);
  return {
    rows,
    failure: failureOf(pages),
    onRowsInSight: pages.onRowsInSight,
    readAllRows: pages.readAllRows,
    hasWaiting: false,
    ...(rows === undefined || rows.length === 0
      ? {}
      : { more: { ...moreLiveRows(pages, rows.length), label: older } }),
  };
}

/** The found entries that are older than the loaded ones; newer ones wait until they are asked for. */
function olderThan<Row extends { readonly createdAt: string }>(
  loaded: readonly Row[],
  found: readonly Row[],
  idOf: (row: Row) => string,
): readonly Row[] {
  const oldest = loaded.at(-1);
  if (oldest === undefined) return [];
  const oldestAtMs = Date.parse(oldest.createdAt);
  const known = new Set(loaded.map(idOf));
  return found.filter((row) => Date.parse(row.createdAt) <= oldestAtMs && !known.has(idOf(row)));
}

/** The end of a list of entries with the typed words: first older ones of the type are read, then all older ones, to search them here. */
function moreOf<Row>(
  log: LogPages<Row>,
  pages: LivePages<Row> | undefined,
  { shown, older }: { shown: number; older: string },
): { readonly more?: MoreRows } {
  if (log.entries.length === 0) return {};
  if (pages?.loadMore !== undefined) return { more: { ...moreLiveRows(pages, shown), label: older } };
  const { hasOlder, loadOlder, isLoadingOlder: isLoading, failure } = log;
  const load = hasOlder ? loadOlder : undefined;
  return { more: { label: older, end: logCopy.end, load, isLoading, failure } };
}

function limitsOf(
  asked: string,
  {
    fields,
    isOfWords,
    log,
  }: { fields: FilterFields; isOfWords: boolean; log: Pick<LogPages<unknown>, 'hasOlder' | 'entries'> },
): string | undefined {
  const filter = checkFilter(asked, fields);
  if (filter === undefined || !testsOf(filter).some(({ kind }) => kind === 'text')) return undefined;
  if (!isOfWords) return logCopy.search.onlyTypes;
  return log.hasOlder ? logCopy.search.loaded(log.entries.length) : undefined;
}
