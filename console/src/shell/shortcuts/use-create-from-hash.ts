import { useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { createButton } from '../palette/page-actions.ts';

const waitMs = 5000;

/** Clicks the page's "create" button when the URL has the hash #create, so that links can open its dialog; then removes the hash. */
export function useCreateFromHash(): void {
  const router = useRouter();
  const isRequested = useRouterState({
    select: ({ resolvedLocation }) => resolvedLocation?.hash === 'create',
  });
  useEffect(() => {
    if (!isRequested) return;
    return whenAvailable(createButton, (button) => {
      void router
        .navigate({ to: '.', search: true, hash: '', replace: true, resetScroll: false })
        .then(() => button.click());
    });
  }, [isRequested, router]);
}

// The page may still be loading. Some pages have no such button, such as that of a project without devices.
function whenAvailable(find: () => HTMLElement | undefined, then: (found: HTMLElement) => void): () => void {
  const observer = new MutationObserver(check);
  const timer = window.setTimeout(() => observer.disconnect(), waitMs);
  function stop(): void {
    observer.disconnect();
    window.clearTimeout(timer);
  }
  function check(): void {
    const found = find();
    if (found === undefined) return;
    stop();
    then(found);
  }
  observer.observe(document.body, { childList: true, subtree: true });
  check();
  return stop;
}
