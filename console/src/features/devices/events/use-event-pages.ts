import type { FilterFields } from '@corral/contract';
import type { FetchQueryOptions, QueryKey, UseQueryOptions } from '@tanstack/react-query';
import { failureOf, moreLiveRows } from '../../../parts/more-live-rows.ts';
import type { RowsInView } from '../../../parts/row-source.ts';
import { useAskedFilter } from '../../../parts/use-asked-filter.ts';
import { useChangedRows } from '../../../parts/use-changed-rows.ts';
import { useLivePages } from '../../../parts/use-live-pages.ts';
import type { FilterMistake } from '../../../ui/table/MistakeInFilter.tsx';
import { eventFilterOf, type EventsSearch } from '../device/events-search.ts';

/** How a list of events is read. */
interface EventsSource<Event, Answer extends PageAnswer, Key extends QueryKey> {
  /** The query of the first page of the events that pass a filter, or of that after a cursor. */
  readonly queryOf: (page: {
    readonly filter: string | undefined;
    readonly after: string | undefined;
  }) => UseQueryOptions<Answer, Error, Answer, Key> & FetchQueryOptions<Answer, Error, Answer, Key>;
  readonly rowsOf: (answer: Answer) => readonly Event[];
  readonly keyOf: (event: Event) => string;
  readonly fields: FilterFields;
  /** The number of events of the first page. */
  readonly firstLimit: number;
}

interface PageAnswer {
  readonly next?: string | undefined;
}

/** The events that pass a filter. */
export interface EventPages<Event> extends RowsInView<Event> {
  readonly mistake: FilterMistake | undefined;
  readonly isNew: (event: Event) => boolean;
  readonly retry: () => void;
}

/** The events that pass a filter, newest first: of the pages that were loaded, those in sight follow changes. While the filter has a mistake, the last events stay. */
export function useEventPages<Event, Answer extends PageAnswer, Key extends QueryKey>(
  { queryOf, rowsOf, keyOf, fields, firstLimit }: EventsSource<Event, Answer, Key>,
  search: EventsSearch,
): EventPages<Event> {
  const { asked, mistake } = useAskedFilter(
    search.events ?? '',
    fields,
    (text) => eventFilterOf(text, search.severity) ?? '',
  );
  const filter = eventFilterOf(asked, search.severity);
  const pages = useLivePages({
    queryOf: (after) => queryOf({ filter, after }),
    rowsOf,
    keyOf,
    isEnabled: true,
  });
  const { rows } = pages;
  // Only events on top are new: those of a further page were asked for.
  const top = rows?.slice(0, firstLimit);
  const isNew = useChangedRows(top, keyOf, () => '', `${filter} ${pages.isPlaceholder}`);
  const hasMore = pages.loadMore !== undefined || (rows?.length ?? 0) > firstLimit;
  return {
    rows,
    failure: failureOf(pages),
    isServerSide: true,
    readAllRows: pages.readAllRows,
    retry: pages.retry,
    mistake,
    isNew,
    onRowsInSight: pages.onRowsInSight,
    ...(rows !== undefined && (hasMore || pages.error !== null)
      ? { more: moreLiveRows(pages, rows.length) }
      : {}),
  };
}
