import type { Id } from '@corral/contract';
import { useRouter } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { DeviceSearch } from '../../parts/device-filters.ts';
import { eventsIn } from '../../parts/history/events-in.ts';

/** Addresses of lists of a project, for the shapes of pictures, which are no links of the router, and what opens one. */
export interface Lists {
  hrefOf(search: DeviceSearch): string;
  /** See `eventsIn`. */
  eventsHrefOf(fromMs: number, toMs: number): string;
  open(href: string): void;
}

/** See `Lists`. */
export function useLists(projectId: Id<'project'>): Lists {
  const router = useRouter();
  return useMemo(
    () => ({
      hrefOf: (search) =>
        router.buildLocation({ to: '/projects/$projectId/devices', params: { projectId }, search }).href,
      eventsHrefOf: (fromMs, toMs) =>
        router.buildLocation({
          to: '/projects/$projectId/events',
          params: { projectId },
          search: { q: eventsIn(fromMs, toMs) },
        }).href,
      open: (href) => router.history.push(href),
    }),
    [router, projectId],
  );
}
