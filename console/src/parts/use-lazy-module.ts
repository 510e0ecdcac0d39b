import { useEffect, useState } from 'react';
import { showToast } from '../ui/overlay/toast.ts';
import { notLoadedCopy } from './not-loaded-copy.ts';
import { loadUntilDone } from '../ui/load-until-done.ts';

/**
 * The result of `load`, which runs once `isWanted`, and again every 5 s while the hub is unreachable; undefined until it resolves. Instead
 * of Suspense, whose late content React delays by 300 ms. Define `load` outside the component.
 */
export function useLazyModule<Part>(
  load: () => Promise<Part>,
  isWanted: boolean,
  { reportsFailure = false }: { reportsFailure?: boolean } = {},
): Part | undefined {
  const [loaded, setLoaded] = useState<{ part: Part }>();
  useEffect(() => {
    if (!isWanted) return;
    const cancelling = new AbortController();
    void loadUntilDone(load, cancelling.signal, reportsFailure ? showNotLoadedToast : undefined).then(
      (part) => {
        if (part !== undefined && !cancelling.signal.aborted) setLoaded({ part });
      },
    );
    return () => cancelling.abort();
  }, [load, isWanted, reportsFailure]);
  return loaded?.part;
}

function showNotLoadedToast(): void {
  showToast(notLoadedCopy.title, { text: notLoadedCopy.text, tone: 'danger' });
}
