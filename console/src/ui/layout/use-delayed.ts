import { useEffect, useState } from 'react';

/** True once `delayMs` have passed since the component appeared: nothing flashes for what is quick. */
export function useDelayed(delayMs = 200): boolean {
  const [isOver, setIsOver] = useState(delayMs <= 0);
  useEffect(() => {
    const timer = window.setTimeout(() => setIsOver(true), delayMs);
    return () => window.clearTimeout(timer);
  }, [delayMs]);
  return isOver;
}
