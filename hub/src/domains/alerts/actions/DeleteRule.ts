import { notFound } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustOwnRule, type RulePlace } from '../policy/access.ts';
import { ofProject } from '../policy/event-data.ts';
import { deleteRule } from '../sql/rules.ts';

/** Deletes an alert rule with its alerts. */
export const DeleteRule: Handler<'alerts_DeleteRule', RulePlace> = {
  authorize: ({ tx, actor, input }) => mustOwnRule(tx, actor, input.ruleId),

  async run({ tx, input, emit }, { projectId, ruleId }) {
    const name = await deleteRule(tx, ruleId);
    if (name === undefined) throw notFound('Alert rule');
    emit('alerts_RuleDeleted', { ...ofProject(projectId), ruleId: input.ruleId, name });
    return {};
  },
};
