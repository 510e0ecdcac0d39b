import { useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { createButton } from '../palette/page-actions.ts';

const waitMs = 5000;

/** Presses the button that creates something when the address ends in #create, so that a link can begin it; then drops the hash. */
export function useCreateFromHash(): void {
  const router = useRouter();
  const isAsked = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.hash === 'create' });
  useEffect(() => {
    if (!isAsked) return;
    return whenThere(createButton, (button) => {
      void router
        .navigate({ to: '.', search: true, hash: '', replace: true, resetScroll: false })
        .then(() => button.click());
    });
  }, [isAsked, router]);
}

// The page may still be on its way; one that never offers it, such as for a first device, says itself what to do.
function whenThere(find: () => HTMLElement | undefined, then: (found: HTMLElement) => void): () => void {
  const observer = new MutationObserver(look);
  const timer = window.setTimeout(() => observer.disconnect(), waitMs);
  function stop(): void {
    observer.disconnect();
    window.clearTimeout(timer);
  }
  function look(): void {
    const found = find();
    if (found === undefined) return;
    stop();
    then(found);
  }
  observer.observe(document.body, { childList: true, subtree: true });
  look();
  return stop;
}
