import { notFound } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustOwnRule, type RulePlace } from '../policy/access.ts';
import { ofProject } from '../policy/event-data.ts';
import { mustBeRule } from '../policy/rule-checks.ts';
import { changeRule } from '../sql/rules.ts';

/** Changes an alert rule. */
export const ChangeRule: Handler<'alerts_ChangeRule', RulePlace> = {
  authorize: ({ tx, actor, input }) => mustOwnRule(tx, actor, input.ruleId),

  async run({ tx, db, input, now, emit }, { projectId, ruleId }) {
    const { isEnabled } = input;
    const rule = await mustBeRule(tx, input, { projectId, now, db });
    if (!(await changeRule(tx, ruleId, { ...rule, isEnabled }, now))) throw notFound('Alert rule');
    const { name } = rule;
    emit('alerts_RuleChanged', { ...ofProject(projectId), ruleId: input.ruleId, name, isEnabled });
    return {};
  },
};
