import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

/** Whose e-mails of which rule; both ids are raw. */
interface Subscription {
  readonly ruleId: string;
  readonly userId: string;
}

/** Says whether a user gets e-mails of a rule. */
export async function setSubscription(
  tx: Database,
  { ruleId, userId }: Subscription,
  isOn: boolean,
): Promise<void> {
  await (
    isOn
      ? sql`delete from alert_unsubscriptions where rule_id = ${ruleId} and user_id = ${userId}`
      : sql`insert into alert_unsubscriptions (rule_id, user_id)
          select r.rule_id, u.user_id from alert_rules r, users u where r.rule_id = ${ruleId} and u.user_id = ${userId}
          on conflict do nothing`
  ).execute(tx);
}
