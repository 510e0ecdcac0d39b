import type { Internal } from '../../../calls/handler.ts';
import { findDueOperations } from '../sql/due-operations.ts';

/** Finds operations on devices that may go on, by their raw ids. */
export const FindDueOperations: Internal<void, string[]> = {
  name: 'operations_FindDueOperations',
  isQuery: true,
  run: ({ tx, now }) => findDueOperations(tx, now),
};
