import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { announce } from '../ui/text/announce.ts';

/**
 * After a navigation to another page: sets the document title from its `h1`, announces it and focuses the `h1`. Does nothing when
 * only the search part changed (a filter, a tab, a drawer), so that the focus stays where the user works.
 */
export function RouteAnnouncer() {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        const heading = document.querySelector('h1');
        const name = heading?.textContent?.trim() ?? '';
        document.title = name === '' ? 'Corral' : `${name} · Corral`;
        if (fromLocation === undefined || !pathChanged) return;
        announce(name);
        if (!isTypingOnPage()) heading?.focus({ preventScroll: true });
      }),
    [router],
  );
  return null;
}

// A field of a closing dialog does not count.
function isTypingOnPage(): boolean {
  const focused = document.activeElement;
  return focused instanceof HTMLInputElement && focused.closest('#content') !== null;
}
