import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { dropOldEventPartitions, ensureEventPartitions } from '../../store/event-partitions.ts';

/** Creates the partitions of last, this and next month, and drops those past the retention. */
export const RotateEventPartitions: Handler<'devices_RotateEventPartitions'> = {
  // Each partition is created in a transaction of its own, so that writers wait for one at a time.
  isOneStatement: () => true,
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, input, now }) {
    await ensureEventPartitions(tx, now);
    await dropOldEventPartitions(tx, now, input.retentionMonths);
    return {};
  },
};
