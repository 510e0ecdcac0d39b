import type { Internal } from '../../../calls/handler.ts';
import { deleteOldHistory } from '../sql/delete-history.ts';
import { addEventCounts, recordMinute } from '../sql/record-history.ts';
import { recordStoredBytes } from '../sql/record-stored-bytes.ts';

/** Records the last minute and its events, what repositories store in this hour, and deletes some of what is too old; to be run again while there is more. Safe on any node at any time. */
export const RecordHistory: Internal<void, { hasMore: boolean }> = {
  name: 'instance_RecordHistory',
  async run({ tx, now }) {
    const events = await addEventCounts(tx);
    await recordMinute(tx, now);
    await recordStoredBytes(tx, now);
    const old = await deleteOldHistory(tx, now);
    return { hasMore: events.hasMore || old.hasMore };
  },
};
