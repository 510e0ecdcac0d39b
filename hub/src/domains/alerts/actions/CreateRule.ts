import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustOwnPlace, type Place } from '../policy/access.ts';
import { mustBeRule } from '../policy/rule-checks.ts';
import { ofProject } from '../policy/event-data.ts';
import { addRule } from '../sql/rules.ts';

/** Creates an alert rule; only owners may, since it says who is told what happens in the project. */
export const CreateRule: Handler<'alerts_CreateRule', Place> = {
  authorize: ({ tx, actor, input }) => mustOwnPlace(tx, actor, input.projectId),

  async run({ tx, db, input, actor, now, emit }, { projectId }) {
    const rule = await mustBeRule(tx, input, { projectId, now, db });
    const ruleId = ids.alertRule.of(await addRule(tx, rule, { projectId, actor, now }));
    emit('alerts_RuleCreated', { ...ofProject(projectId), ruleId, name: rule.name });
    return { ruleId };
  },
};
