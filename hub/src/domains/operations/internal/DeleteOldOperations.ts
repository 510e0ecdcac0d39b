import type { Internal } from '../../../calls/handler.ts';
import { deleteOldOperations } from '../sql/operation-lists.ts';

/** Deletes some operations of single devices that ended 90 days ago or before; returns how many. */
export const DeleteOldOperations: Internal<void, { readonly deleted: number }> = {
  name: 'operations_DeleteOldOperations',
  isOneStatement: () => true,
  run: async ({ tx, now }) => ({ deleted: await deleteOldOperations(tx, now) }),
};
