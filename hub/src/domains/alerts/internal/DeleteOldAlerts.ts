import type { Internal } from '../../../calls/handler.ts';
import { deleteOldAlerts } from '../sql/rules-to-look-at.ts';

const keptMs = 30 * 86_400_000;

/** Deletes some of the alerts that ended more than 30 days ago. */
export const DeleteOldAlerts: Internal<void, { deleted: number }> = {
  name: 'alerts_DeleteOldAlerts',
  async run({ tx, now }) {
    return { deleted: await deleteOldAlerts(tx, new Date(now.getTime() - keptMs)) };
  },
};
