import type { Internal } from '../../../calls/handler.ts';
import { findDueRules } from '../sql/rules-to-look-at.ts';

/** The alert rules whose turn it is, by raw id. */
export const FindDueRules: Internal<void, string[]> = {
  name: 'alerts_FindDueRules',
  isQuery: true,
  run: ({ tx, now }) => findDueRules(tx, now),
};
