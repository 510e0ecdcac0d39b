import { useState } from 'react';
import { messageOf } from './message-of.ts';

/** Why the last try failed, and the function that tries: it forgets the failure first, and returns another one or throws it. */
export function useFailure(): [
  failure: string | undefined,
  attempt: (work: () => Promise<string | void>) => Promise<void>,
] {
  const [failure, setFailure] = useState<string>();
  const attempt = async (work: () => Promise<string | void>): Promise<void> => {
    setFailure(undefined);
    try {
      setFailure((await work()) ?? undefined);
    } catch (error) {
      setFailure(messageOf(error));
    }
  };
  return [failure, attempt];
}
