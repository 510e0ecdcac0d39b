import { useEffect, useState } from 'react';

/**
 * What `load` brings, once `isWanted`; undefined until it is here. A failure is thrown where it is used. For what answers a key or
 * a press: React holds back for 300 ms what a Suspense boundary shows late. `load` is defined outside the component.
 */
export function useLoaded<Part>(load: () => Promise<Part>, isWanted: boolean): Part | undefined {
  const [outcome, setOutcome] = useState<{ part: Part } | { error: unknown }>();
  useEffect(() => {
    if (!isWanted) return;
    let isLeft = false;
    const settle = (next: { part: Part } | { error: unknown }) => (isLeft ? undefined : setOutcome(next));
    load().then(
      (part) => settle({ part }),
      (error: unknown) => settle({ error }),
    );
    return () => {
      isLeft = true;
    };
  }, [load, isWanted]);
  if (outcome === undefined) return undefined;
  if ('error' in outcome) throw outcome.error;
  return outcome.part;
}
