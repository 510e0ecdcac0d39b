import { useState } from 'react';

/**
 * The value, or the last one while it is undefined: a dialog keeps what it is about while its closing animation runs. A value that is an object
 * must be the same one in each render until it changes.
 */
export function useLast<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
