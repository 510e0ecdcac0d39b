import { useEffect, useState } from 'react';

/** The value once it has stayed the same for a while, so that the hub is not asked for each typed letter. */
export function useDebounced<Value>(value: Value, delayMs = 200): Value {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setDebounced(value), delayMs);
    return () => window.clearTimeout(timer);
  }, [value, delayMs]);
  return debounced;
}
