import { useRef, useState } from 'react';

/** Starts work unless its last promise is pending, and tells whether it is; a ref knows it before the next render. */
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
