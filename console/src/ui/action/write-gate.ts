import { createContext, useContext } from 'react';

/** Why nothing can be changed right now, in a sentence; undefined while everything can. Provided by the shell. */
export const WriteGateContext = createContext<string | undefined>(undefined);

/**
 * Why nothing can be changed right now: for the `disabledReason` of whatever changes something at the hub. Dialogs, submits and
 * buttons with `isWrite` ask it themselves.
 */
export function useWriteGate(): string | undefined {
  return useContext(WriteGateContext);
}
