import { ids } from '@corral/contract';
import { mustBePerson } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeRule, type RulePlace } from '../policy/access.ts';
import { ofProject } from '../policy/event-data.ts';
import { setSubscription } from '../sql/subscriptions.ts';

/** Says whether the caller gets e-mails of an alert rule. */
export const SetRuleMails: Handler<'alerts_SetRuleMails', RulePlace & { readonly userId: string }> = {
  authorize: async ({ tx, actor, input }) => {
    const { userId } = mustBePerson(actor);
    return { ...(await mustSeeRule(tx, actor, input.ruleId)), userId: ids.user.raw(userId) };
  },

  async run({ tx, input, emit }, { projectId, ruleId, userId }) {
    await setSubscription(tx, { ruleId, userId }, input.isOn);
    emit('alerts_Changed', { ...ofProject(projectId), ruleId: input.ruleId });
    return {};
  },
};
