import { useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { createAction, runPageAction, subscribeToPageActions } from '../../parts/page-actions.ts';

const waitMs = 5000;

/** Runs the page's "create" action when the URL has the hash #create, so that links can open its dialog; then removes the hash. */
export function useCreateFromHash(): void {
  const router = useRouter();
  const isRequested = useRouterState({
    select: ({ resolvedLocation }) => resolvedLocation?.hash === 'create',
  });
  useEffect(() => {
    if (!isRequested) return;
    return whenRegistered(() => {
      void router
        .navigate({ to: '.', search: true, hash: '', replace: true, resetScroll: false })
        .then(runCreateAction);
    });
  }, [isRequested, router]);
}

/** Runs the action that creates what the page lists, if it has one. */
export function runCreateAction(): void {
  const action = createAction();
  if (action !== undefined) runPageAction(action);
}

// The page may still be loading. Some pages have no such action, such as that of a project without devices.
function whenRegistered(then: () => void): () => void {
  const unsubscribe = subscribeToPageActions(check);
  const timer = window.setTimeout(unsubscribe, waitMs);
  function stop(): void {
    unsubscribe();
    window.clearTimeout(timer);
  }
  function check(): void {
    if (createAction() === undefined) return;
    stop();
    then();
  }
  check();
  return stop;
}
