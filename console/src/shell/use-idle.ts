import { useEffect, useState } from 'react';

const timeoutMs = 1000;

/** Whether the browser has been idle since mounting, for work that must not delay the first paint; true after 1 s at the latest. */
export function useIdle(): boolean {
  const [isIdle, setIsIdle] = useState(typeof requestIdleCallback !== 'function');
  useEffect(() => {
    if (typeof requestIdleCallback !== 'function') return;
    const handle = requestIdleCallback(() => setIsIdle(true), { timeout: timeoutMs });
    return () => cancelIdleCallback(handle);
  }, []);
  return isIdle;
}
