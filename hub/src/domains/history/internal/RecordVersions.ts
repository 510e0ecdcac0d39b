import type { Internal } from '../../../calls/handler.ts';
import { recordVersions } from '../sql/record-versions.ts';

/** Records the versions that devices report, of some projects without a record of this hour; to be run again while there is more. Safe on any node at any time. */
export const RecordVersions: Internal<void, { hasMore: boolean }> = {
  name: 'instance_RecordVersions',
  run: ({ tx, db, now }) => recordVersions(tx, { db, now }),
};
