import { useRef, useState } from 'react';

/**
 * Starts work unless the promise of the former work is still pending, and tells whether one is. A ref holds it too, because a second click
 * may come before the next render.
 */
export function useOneRun(): { isRunning: boolean; start: (work: () => unknown) => void } {
  const running = useRef(false);
  const [isRunning, setIsRunning] = useState(false);
  function mark(isPending: boolean): void {
    running.current = isPending;
    setIsRunning(isPending);
  }
  function start(work: () => unknown): void {
    if (running.current) return;
    const result = work();
    if (!(result instanceof Promise)) return;
    mark(true);
    void result.finally(() => mark(false));
  }
  return { isRunning, start };
}
