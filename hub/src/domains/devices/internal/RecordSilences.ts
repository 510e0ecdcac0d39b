import type { Internal } from '../../../calls/handler.ts';
import { recordSilences } from '../sql/silences.ts';

/** Finds out from when on some devices that left are silent for longer than usual; to be run again while there is more. Safe on any node at any time. */
export const RecordSilences: Internal<void, { hasMore: boolean }> = {
  name: 'devices_RecordSilences',
  run: ({ tx, now }) => recordSilences(tx, now),
};
