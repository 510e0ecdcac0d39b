import type { Id } from '@corral/contract';
import { useRouter } from '@tanstack/react-router';
import { createContext, type MouseEvent, type ReactNode, useContext, useEffect, useRef } from 'react';
import { buttonClass } from '../../ui/action/button-class.ts';
import type { DevicesSearch } from './device-view.ts';

/** The state of the list that links to devices stand in; it goes along, so that a device's neighbours are those of the list. */
export const ListSearchContext = createContext<DevicesSearch>({});

/**
 * A link from the list to a device, that looks like a button. Lighter than the router's own, which listens to every change of the
 * address, because there is one in each row; the page is loaded when the pointer or the focus rests on it all the same.
 */
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
  function preloadSoon(): void {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(
      () => void router.preloadRoute(to).catch(() => undefined),
      router.options.defaultPreloadDelay,
    );
  }
  function follow(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0 || hasModifier(event)) return;
    event.preventDefault();
    void router.navigate(to);
  }
  return (
    <a
      href={router.buildLocation(to).href}
      className={buttonClass('secondary', 'small')}
      onClick={follow}
      onPointerEnter={preloadSoon}
      onPointerLeave={() => window.clearTimeout(timer.current)}
      onFocus={preloadSoon}
    >
      {children}
    </a>
  );
}

// With one the browser opens the link beside this page.
function hasModifier({ metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return metaKey || ctrlKey || shiftKey || altKey;
}
