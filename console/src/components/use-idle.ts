import { useEffect, useState } from 'react';

const atLatestMs = 1000;

/** Whether the browser has had nothing else to do since this began to show, such as the first paint; after a second at the latest. */
export function useIdle(): boolean {
  const [isIdle, setIsIdle] = useState(typeof requestIdleCallback !== 'function');
  useEffect(() => {
    if (typeof requestIdleCallback !== 'function') return;
    const handle = requestIdleCallback(() => setIsIdle(true), { timeout: atLatestMs });
    return () => cancelIdleCallback(handle);
  }, []);
  return isIdle;
}
