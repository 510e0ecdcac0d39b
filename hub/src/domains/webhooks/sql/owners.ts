import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { queueMail } from '../../users/index.ts';

/** Mails the owners of a project that a webhook is disabled; ids are raw. */
export async function tellOwners(
  tx: Database,
  projectId: string,
  webhookId: string,
  now: Date,
): Promise<void> {
  const { rows } = await sql<{ user_id: string }>`
    select m.user_id from project_members m join users u using (user_id)
    where m.project_id = ${projectId} and m.is_owner and u.disabled_at is null order by 1`.execute(tx);
  for (const { user_id: userId } of rows)
    await queueMail(tx, { kind: 'WebhookDisabled', userId, webhookId, now });
}
