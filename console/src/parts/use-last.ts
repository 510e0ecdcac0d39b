import { useState } from 'react';

/** The value, or the last one while it is undefined: a drawer keeps what it is about while its closing animation runs. */
export function useLast<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
