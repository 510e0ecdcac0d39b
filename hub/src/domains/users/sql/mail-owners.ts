import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { queueMail } from './mail-queue.ts';

type OwnersMail = { readonly now: Date } & (
  | { readonly kind: 'WebhookDisabled'; readonly webhookId: string }
  | { readonly kind: 'RecordingWaived'; readonly terminalSessionId: string }
);

/** Queues an e-mail to each owner of a project; ids are raw. */
export async function mailOwners(tx: Database, projectId: string, mail: OwnersMail): Promise<void> {
  const { rows } = await sql<{ user_id: string }>`
    select m.user_id from project_members m join users u using (user_id)
    where m.project_id = ${projectId} and m.is_owner and u.disabled_at is null order by 1`.execute(tx);
  for (const { user_id: userId } of rows) await queueMail(tx, { ...mail, userId });
}
