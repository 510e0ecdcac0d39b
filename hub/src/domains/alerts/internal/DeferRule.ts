import type { Internal } from '../../../calls/handler.ts';
import { deferRule } from '../sql/rules-to-look-at.ts';

const restMs = 60_000;

/** Lets an alert rule, by its raw id, rest for a minute that could not be looked at: others do not wait for it. */
export const DeferRule: Internal<{ readonly ruleId: string }, void> = {
  name: 'alerts_DeferRule',
  isOneStatement: () => true,
  run: ({ tx, input, now }) => deferRule(tx, input.ruleId, new Date(now.getTime() + restMs)),
};
