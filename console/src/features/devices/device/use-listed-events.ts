import { type DeviceEvent, eventFields, type Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { failureOf, moreLiveRows } from '../../../parts/more-live-rows.ts';
import type { RowsInView } from '../../../parts/row-source.ts';
import { useAskedFilter } from '../../../parts/use-asked-filter.ts';
import { useChangedRows } from '../../../parts/use-changed-rows.ts';
import { useLivePages } from '../../../parts/use-live-pages.ts';
import type { FilterMistake } from '../../../ui/table/MistakeInFilter.tsx';
import { deviceEventsLimit, deviceEventsQuery } from '../queries.ts';
import { eventFilterOf, type EventsSearch } from './events-search.ts';

/** The events of a device that pass a filter. */
export interface ListedEvents extends RowsInView<DeviceEvent> {
  /** The newest events of all; undefined while loading. */
  readonly newest: readonly DeviceEvent[] | undefined;
  /** Why not even the newest events could be read. */
  readonly error: Error | undefined;
  readonly retry: () => void;
  readonly mistake: FilterMistake | undefined;
  readonly isNew: (event: DeviceEvent) => boolean;
}

/** The events of a device, newest first: of the pages that were loaded, those in sight follow changes. While the filter has a mistake, the last events stay. */
export function useListedEvents(deviceId: Id<'device'>, search: EventsSearch): ListedEvents {
  const { asked, mistake } = useAskedFilter(
    search.events ?? '',
    eventFields,
    (text) => eventFilterOf(text, search.severity) ?? '',
  );
  const filter = eventFilterOf(asked, search.severity);
  const { data, error, refetch } = useQuery(deviceEventsQuery(deviceId));
  const pages = useLivePages({
    queryOf: (after) => deviceEventsQuery(deviceId, { filter, after }),
    rowsOf: ({ events }) => events,
    keyOf,
    isEnabled: true,
  });
  const { rows } = pages;
  // Only events on top are new: those of a further page were asked for.
  const top = rows?.slice(0, deviceEventsLimit);
  const isNew = useChangedRows(top, keyOf, () => '', `${filter} ${pages.isPlaceholder}`);
  const hasMore = pages.loadMore !== undefined || (rows?.length ?? 0) > deviceEventsLimit;
  return {
    rows,
    failure: failureOf(pages),
    isServerSide: true,
    newest: data?.events,
    error: data === undefined ? (error ?? undefined) : undefined,
    retry: () => {
      void refetch();
      pages.retry();
    },
    mistake,
    isNew,
    onRowsInSight: pages.onRowsInSight,
    ...(rows !== undefined && (hasMore || pages.error !== null)
      ? { more: moreLiveRows(pages, rows.length) }
      : {}),
  };
}

function keyOf({ eventId }: DeviceEvent): string {
  return eventId;
}
