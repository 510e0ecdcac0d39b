import type { Internal } from '../../../calls/handler.ts';
import { readSetting } from '../../instance/index.ts';
import { deleteOldConnections } from '../sql/connection-history.ts';

/** Deletes the connections that the history of devices no longer shows. */
export const DeleteOldConnections: Internal<void, void> = {
  name: 'devices_DeleteOldConnections',
  // Two deletes that need not be atomic.
  isOneStatement: () => true,

  async run({ tx, now }) {
    const days = await readSetting(tx, 'connectionHistoryDays');
    await deleteOldConnections(tx, now, days === undefined ? undefined : Number(days));
  },
};
