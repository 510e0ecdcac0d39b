import { useEffect, useState } from 'react';

const pauseMs = 200;

/** The value as it was when it last stayed the same for 200 ms: what is typed, once typing pauses. */
export function usePaused<Value>(value: Value): Value {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setPaused(value), pauseMs);
    return () => window.clearTimeout(timer);
  }, [value]);
  return paused;
}
