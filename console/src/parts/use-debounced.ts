import { useEffect, useState } from 'react';

const delayMs = 200;

/** The value once it has stayed the same for 200 ms, so that the hub is not asked for each typed letter. */
export function useDebounced<Value>(value: Value): Value {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setDebounced(value), delayMs);
    return () => window.clearTimeout(timer);
  }, [value]);
  return debounced;
}
