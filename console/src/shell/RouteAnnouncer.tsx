import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { setPageTitle } from '../ui/layout/document-title.ts';
import { announce } from '../ui/text/announce.ts';

/**
 * After a navigation to another page: names the document after its `h1`, announces it and focuses the `h1`. Leaves the focus alone when
 * only the search part or a dialog route changed.
 */
export function RouteAnnouncer() {
  const router = useRouter();
  const former = useRef<Element>(null);
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
        const heading = document.querySelector('h1');
        const isSamePage = heading !== null && heading === former.current;
        former.current = heading;
        const name = heading?.textContent?.trim() ?? '';
        setPageTitle(name);
        if (fromLocation === undefined || !pathChanged) return;
        if (isSamePage && isInside(fromLocation.pathname, toLocation.pathname)) return;
        announce(name);
        if (!isTypingOnPage()) heading?.focus({ preventScroll: true });
      }),
    [router],
  );
  return null;
}

function isInside(one: string, other: string): boolean {
  return one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

// A field of a closing dialog does not count.
function isTypingOnPage(): boolean {
  const focused = document.activeElement;
  return focused instanceof HTMLInputElement && focused.closest('#content') !== null;
}
