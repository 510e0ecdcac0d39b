import type { Internal } from '../../../calls/handler.ts';
import { noteWatch } from '../sql/rules-to-look-at.ts';

/** Notes that a hub looks after alert rules: while none does, devices that are away are not known to be. */
export const NoteWatch: Internal<void, void> = {
  name: 'alerts_NoteWatch',
  isOneStatement: () => true,
  run: ({ tx, now }) => noteWatch(tx, now),
};
