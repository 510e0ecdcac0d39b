import { useState } from 'react';

/** The value, or the last one while it is undefined, as for a closing animation. An object must stay the same until it changes. */
export function useLast<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
