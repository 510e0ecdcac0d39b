import type { Id } from '@corral/contract';
import { useRouter } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';
import { buttonClass } from '../../ui/action/button-class.ts';
import type { DevicesSearch } from './device-view.ts';
import { useRowLink } from './use-row-link.ts';

/** The search of the surrounding list. Links to devices carry it, so that the device page knows the previous and next device. */
export const ListSearchContext = createContext<DevicesSearch>({});

/** A link to a device that looks like a button; the router's Link would subscribe each row to every navigation. */
export function DeviceLink({
  projectId,
  deviceId,
  children,
}: {
  projectId: Id<'project'>;
  deviceId: Id<'device'>;
  children: ReactNode;
}) {
  const router = useRouter();
  const search = useContext(ListSearchContext);
  const timer = useRef<number>(undefined);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const to = {
    to: '/projects/$projectId/devices/$deviceId',
    params: { projectId, deviceId },
    search,
  } as const;
  const link = useRowLink(to);
  function schedulePreload(): void {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(
      () => void router.preloadRoute(to).catch(() => undefined),
      router.options.defaultPreloadDelay,
    );
  }
  return (
    <a
      {...link}
      className={`with-row ${buttonClass('secondary', 'small')}`}
      onPointerEnter={schedulePreload}
      onPointerLeave={() => window.clearTimeout(timer.current)}
      onFocus={schedulePreload}
    >
      {children}
    </a>
  );
}
