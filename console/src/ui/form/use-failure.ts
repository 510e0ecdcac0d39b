import { useState } from 'react';
import { messageOf } from './message-of.ts';

/** Why the last try failed, the function that tries, and the one that forgets the failure when a field is edited. */
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
