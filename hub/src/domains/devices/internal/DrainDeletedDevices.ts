import type { Internal } from '../../../calls/handler.ts';
import { deleteSomeEventsOfDeletedDevices } from '../sql/deleted-device-events.ts';
import { forgetDeletedIdentities } from '../sql/deleted-identities.ts';

/** Deletes some of the events that deleted devices have left, and forgets fingerprints and certificates that were deleted long ago. */
export const DrainDeletedDevices: Internal<void, { deletedEvents: number; isComplete: boolean }> = {
  name: 'devices_DrainDeletedDevices',
  // Two statements that need not be atomic.
  isOneStatement: () => true,

  async run({ tx, now }) {
    await forgetDeletedIdentities(tx, now);
    return deleteSomeEventsOfDeletedDevices(tx);
  },
};
