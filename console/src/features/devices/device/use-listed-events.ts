import { type DeviceEvent, eventFields, type Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { type EventPages, useEventPages } from '../events/use-event-pages.ts';
import { deviceEventsLimit, deviceEventsQuery } from '../queries.ts';
import type { EventsSearch } from './events-search.ts';

/** The events of a device that pass a filter. */
export interface ListedEvents extends EventPages<DeviceEvent> {
  /** The newest events of all; undefined while loading. */
  readonly newest: readonly DeviceEvent[] | undefined;
  /** Why not even the newest events could be read. */
  readonly error: Error | undefined;
}

/** The events of a device that pass a filter, newest first. */
export function useListedEvents(deviceId: Id<'device'>, search: EventsSearch): ListedEvents {
  const { data, error, refetch } = useQuery(deviceEventsQuery(deviceId));
  const { readAllRows: _, ...pages } = useEventPages(
    {
      queryOf: (page) => deviceEventsQuery(deviceId, page),
      fields: eventFields,
      rowsOf: ({ events }) => events,
      keyOf: ({ eventId }) => eventId,
      firstLimit: deviceEventsLimit,
    },
    search,
  );
  return {
    ...pages,
    newest: data?.events,
    error: data === undefined ? (error ?? undefined) : undefined,
    retry: () => {
      void refetch();
      pages.retry();
    },
  };
}
