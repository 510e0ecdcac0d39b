import { sql } from 'kysely';
import { readLinkToken } from '../../../auth/link-token.ts';
import type { Internal } from '../../../calls/handler.ts';
import { existingInstanceKey } from '../../instance/index.ts';

/** Whether a link is one of this hub; with `isDone` its recipient gets no more e-mails of its alert rule, which is all that the link can do. */
export const UnsubscribeByLink: Internal<{ readonly token: string; readonly isDone: boolean }, boolean> = {
  name: 'mail_UnsubscribeByLink',
  async run({ tx, input, vault, now }) {
    const key = await existingInstanceKey({ tx, vault }, 'unsubscription');
    const id = key && (await readLinkToken(key, 'unsubscription', input.token, now));
    if (id === undefined) return false;
    const [ruleId = '', userId = ''] = id.split(' ');
    if (input.isDone)
      await sql`
        insert into alert_unsubscriptions (rule_id, user_id)
          select r.rule_id, u.user_id from alert_rules r, users u where r.rule_id = ${ruleId} and u.user_id = ${userId}
          on conflict do nothing`.execute(tx);
    return true;
  },
};
