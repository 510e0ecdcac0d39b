import { useEffect, useState } from 'react';

/** True once `delayMs` have passed since mounting, so that a quick load shows no flash of a skeleton. */
export function useDelayed(delayMs = 200): boolean {
  const [isOver, setIsOver] = useState(delayMs <= 0);
  useEffect(() => {
    const timer = window.setTimeout(() => setIsOver(true), delayMs);
    return () => window.clearTimeout(timer);
  }, [delayMs]);
  return isOver;
}
