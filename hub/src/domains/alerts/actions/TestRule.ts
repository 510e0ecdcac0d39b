import { ids } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import { countsOf } from '../../../auth/request-limits.ts';
import type { Handler } from '../../../calls/handler.ts';
import { instanceKey } from '../../instance/index.ts';
import { countRequest } from '../../users/index.ts';
import { mustOwnRule, type RulePlace } from '../policy/access.ts';
import { headOf } from '../policy/tell-untold.ts';
import { readRule } from '../sql/rules.ts';
import { tell } from '../sql/tell.ts';

/** Sends a message by each channel of a rule, to see whether it arrives. */
export const TestRule: Handler<'alerts_TestRule', RulePlace> = {
  authorize: ({ tx, actor, input }) => mustOwnRule(tx, actor, input.ruleId),

  async run(context, { ruleId }) {
    const { tx, now, emit } = context;
    const key = await instanceKey(context, 'request-limits');
    await countRequest(tx, countsOf(key, 'alertTests', ruleId), now, 'Too many tests of this rule.');
    const rule = await readRule(tx, ruleId);
    if (rule === undefined) throw notFound('Alert rule');
    const nothing = { count: 0, resolvedCount: 0, firing: 0, unstable: 0, fired: [], resolved: [] };
    const data = { ...headOf(context, rule), ...nothing };
    const { mails, messages } = await tell(tx, rule, { type: 'alert.test', data }, now);
    if (mails > 0) emit('mail_Queued', {});
    return {
      mails,
      messages: messages.map(({ webhookId, messageId }) => ({
        webhookId: ids.webhook.of(webhookId),
        messageId: ids.webhookMessage.of(messageId),
      })),
    };
  },
};
