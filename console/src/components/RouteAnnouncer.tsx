import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { announce } from '../ui/text/announce.ts';

/**
 * After a navigation to another page: sets the document's title from its `h1`, says it politely, and moves focus there. Does
 * nothing where only the search part changed (a filter, a tab, a drawer), so that focus stays where the user works.
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

// The field of a dialog that is about to close does not count.
function isTypingOnPage(): boolean {
  const focused = document.activeElement;
  return focused instanceof HTMLInputElement && focused.closest('#content') !== null;
}
