import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { countInstance, recordDay } from '../../store/instance-counts.ts';

/** Records the counts of today. */
export const RecordStatistics: Handler<'instance_RecordStatistics'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, now }) {
    await recordDay(tx, await countInstance(tx, now), now);
    return {};
  },
};
