import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { deleteOldConnections } from '../../store/connection-history.ts';
import { readSetting } from '../../store/instance-settings.ts';

/** Deletes the connections that the history of devices no longer shows. */
export const DeleteOldConnections: Handler<'devices_DeleteOldConnections'> = {
  // Two deletes that need not be atomic.
  isOneStatement: () => true,
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, now }) {
    const days = await readSetting(tx, 'connectionHistoryDays');
    await deleteOldConnections(tx, now, days === undefined ? undefined : Number(days));
    return {};
  },
};
