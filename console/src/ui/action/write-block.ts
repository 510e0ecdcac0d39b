import { createContext, useContext } from 'react';

/** The reason why writes to the hub are blocked, as a sentence; undefined while they are allowed. Provided by the shell. */
export const WriteBlockContext = createContext<string | undefined>(undefined);

/** The reason why writes are blocked, for the `disabledReason` of controls that do not read it themselves. */
export function useWriteBlock(): string | undefined {
  return useContext(WriteBlockContext);
}
