import { useEffect, useState } from 'react';

/**
 * The result of `load`, which runs once `isWanted`; undefined until it resolves. A failure is thrown during rendering. For modules
 * that answer a key or a press: React delays late content of a Suspense boundary by 300 ms. Define `load` outside the component.
 */
export function useLazyModule<Part>(load: () => Promise<Part>, isWanted: boolean): Part | undefined {
  const [outcome, setOutcome] = useState<{ part: Part } | { error: unknown }>();
  useEffect(() => {
    if (!isWanted) return;
    let isCancelled = false;
    const settle = (next: { part: Part } | { error: unknown }) =>
      isCancelled ? undefined : setOutcome(next);
    load().then(
      (part) => settle({ part }),
      (error: unknown) => settle({ error }),
    );
    return () => {
      isCancelled = true;
    };
  }, [load, isWanted]);
  if (outcome === undefined) return undefined;
  if ('error' in outcome) throw outcome.error;
  return outcome.part;
}
