import type { Internal } from '../../../calls/handler.ts';
import { countInstance, recordDay } from '../sql/instance-counts.ts';

/** Records the counts of today. */
export const RecordStatistics: Internal<void, void> = {
  name: 'instance_RecordStatistics',
  async run({ tx, now }) {
    await recordDay(tx, await countInstance(tx, now), now);
  },
};
