import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeePlace, type Place } from '../policy/access.ts';
import { countAlertDays } from '../sql/alert-days.ts';

/** Counts alerts by the day on which they fired. */
export const QueryAlertDays: Handler<'alerts_QueryAlertDays', Place> = {
  authorize: ({ tx, actor, input }) => mustSeePlace(tx, actor, input.projectId),

  run: ({ tx, input: { ruleId }, now }, { projectId }) =>
    countAlertDays(tx, { projectId, ruleId: ruleId && ids.alertRule.raw(ruleId), now }),
};
