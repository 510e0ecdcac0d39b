import { ids, type Id } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

/** Whether all of these are people who are members of a project, by its raw id. */
export async function areMembers(
  tx: Database,
  projectId: string,
  userIds: readonly Id<'user'>[],
): Promise<boolean> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from project_members join users u using (user_id)
    where project_id = ${projectId} and not u.is_service and user_id = any(${userIds.map((id) => ids.user.raw(id))}::text[])`.execute(
    tx,
  );
  return rows.length === new Set(userIds).size;
}

/** Whether all of these are webhooks of a project, by its raw id. */
export async function areWebhooks(
  tx: Database,
  projectId: string,
  webhookIds: readonly Id<'webhook'>[],
): Promise<boolean> {
  if (webhookIds.length === 0) return true;
  const { rows } = await sql<{ webhook_id: string }>`
    select webhook_id from webhooks where project_id = ${projectId}
      and webhook_id = any(${webhookIds.map((id) => ids.webhook.raw(id))}::text[]) for key share`.execute(tx);
  return rows.length === new Set(webhookIds).size;
}
