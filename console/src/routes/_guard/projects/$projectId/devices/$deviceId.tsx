import type { Id } from '@corral/contract';
import { createFileRoute, notFound } from '@tanstack/react-router';
import { DevicePage } from '../../../../../features/devices/device/DevicePage.tsx';
import {
  type EventsSearch,
  parseEventsSearch,
} from '../../../../../features/devices/device/events-search.ts';
import {
  parseTimelineSearch,
  type TimelineSearch,
} from '../../../../../features/devices/device/timeline/timeline-search.ts';
import { type DevicesSearch, parseDevicesSearch } from '../../../../../features/devices/device-view.ts';
import { NotFoundScreen } from '../../../../../shell/not-found/NotFoundScreen.tsx';
import { omitUndefined } from '../../../../../parts/search-values.ts';
import { isNotFound } from '../../../../../data/query-client.ts';
import {
  deviceEventsQuery,
  devicePropertiesQuery,
  deviceQuery,
} from '../../../../../features/devices/queries.ts';
import { projectDevicesQuery } from '../../../../../data/queries-projects.ts';

export const Route = createFileRoute('/_guard/projects/$projectId/devices/$deviceId')({
  params: {
    // Not validated here: the hub answers an invalid id like one that does not exist.
    parse: ({ deviceId }) => ({ deviceId: deviceId as Id<'device'> }),
    stringify: ({ deviceId }) => ({ deviceId }),
  },
  // Includes the search of the list, for the links back, to the previous and to the next device.
  validateSearch: (search: Record<string, unknown>): DevicesSearch & EventsSearch & TimelineSearch => ({
    ...parseDevicesSearch(search),
    ...parseEventsSearch(search),
    ...parseTimelineSearch(search),
  }),
  loader: async ({ context: { queryClient }, params: { projectId, deviceId } }) => {
    void queryClient.prefetchQuery(deviceEventsQuery(deviceId));
    void queryClient.prefetchQuery(devicePropertiesQuery(deviceId));
    const listed = queryClient.getQueryData(projectDevicesQuery(projectId).queryKey);
    if (listed?.devices.some((device) => device.deviceId === deviceId) === true) {
      void queryClient.prefetchQuery(deviceQuery(deviceId));
      return;
    }
    try {
      await queryClient.ensureQueryData(deviceQuery(deviceId));
    } catch (error) {
      if (isNotFound(error)) throw notFound();
    }
  },
  notFoundComponent: () => <NotFoundScreen />,
  component: Device,
});

function Device() {
  const { projectId, deviceId } = Route.useParams();
  const { events, severity, span, tab, kind, at, operation, session, ...search } = Route.useSearch();
  const navigate = Route.useNavigate();
  const show = (part: EventsSearch | TimelineSearch): void =>
    void navigate({
      search: { ...search, ...omitUndefined({ span }), ...part },
      replace: true,
      resetScroll: false,
    });
  return (
    <DevicePage
      key={deviceId}
      {...{ projectId, deviceId, search }}
      eventsSearch={omitUndefined({ events, severity })}
      onEventsSearchChange={show}
      timelineSearch={omitUndefined({ span, tab, kind, at, operation, session })}
      onTimelineSearchChange={show}
    />
  );
}
