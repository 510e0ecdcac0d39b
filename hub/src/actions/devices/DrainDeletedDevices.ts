import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { forgetDeletedIdentities } from '../../store/deleted-identities.ts';
import { deleteSomeEventsOfDeletedDevices } from '../../store/deleted-device-events.ts';

/** Deletes some of the events that deleted devices have left, and forgets fingerprints and certificates that were deleted long ago. */
export const DrainDeletedDevices: Handler<'devices_DrainDeletedDevices'> = {
  // Two statements that need not be atomic.
  isOneStatement: () => true,
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, now }) {
    await forgetDeletedIdentities(tx, now);
    return deleteSomeEventsOfDeletedDevices(tx);
  },
};
