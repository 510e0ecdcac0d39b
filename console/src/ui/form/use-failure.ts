import { useState } from 'react';
import { messageOf } from './message-of.ts';

/**
 * Why the last try failed; the function that tries, which forgets the failure first, and whose work returns another one or throws it; and the
 * function that forgets it, for the moment when a field is edited: the failure was about what was typed before.
 */
export function useFailure(): [
  failure: string | undefined,
  attempt: (work: () => Promise<string | void>) => Promise<void>,
  forget: () => void,
] {
  const [failure, setFailure] = useState<string>();
  const forget = (): void => setFailure(undefined);
  const attempt = async (work: () => Promise<string | void>): Promise<void> => {
    forget();
    try {
      setFailure((await work()) ?? undefined);
    } catch (error) {
      setFailure(messageOf(error));
    }
  };
  return [failure, attempt, forget];
}
