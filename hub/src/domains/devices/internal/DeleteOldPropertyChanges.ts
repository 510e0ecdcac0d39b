import type { Internal } from '../../../calls/handler.ts';
import { deleteOldPropertyChanges } from '../sql/property-changes.ts';

/** Deletes the changes of properties that the timeline of devices no longer shows. */
export const DeleteOldPropertyChanges: Internal<void, void> = {
  name: 'devices_DeleteOldPropertyChanges',
  isOneStatement: () => true,
  run: ({ tx, now }) => deleteOldPropertyChanges(tx, now),
};
