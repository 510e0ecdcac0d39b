import type { FreshExecutor } from './fresh-executor.ts';
import type { SeededProject } from './seed.ts';

/** A webhook of a project, with a message. */
export async function seedWebhook(hub: FreshExecutor, { projectId, owner }: SeededProject) {
  const url = 'https://hooks.example/x';
  const given = { projectId, name: 'x', url, types: ['projects_NameChanged'] };
  const { webhookId } = await hub.as(owner, 'projects_CreateWebhook', given);
  const { messageId } = await hub.as(owner, 'projects_TestWebhook', { webhookId });
  return { webhook: webhookId, webhookMessage: messageId };
}
