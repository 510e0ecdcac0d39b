import { actionMutation } from '../../data/action-mutation.ts';

/** Creates a webhook; only the answer contains the secret. */
export const createWebhook = actionMutation('projects_CreateWebhook', 'projects_WebhookCreated');
/** Changes a webhook, stops it, or lets it go on. */
export const changeWebhook = actionMutation('projects_ChangeWebhook', 'projects_WebhookChanged');
/** Makes another secret; only the answer contains it. */
export const rotateSecret = actionMutation('projects_RotateWebhookSecret', 'projects_WebhookSecretRotated');
/** Deletes a webhook with its messages. */
export const deleteWebhook = actionMutation('projects_DeleteWebhook', 'projects_WebhookDeleted');
/** Sends a message that nothing made. */
export const testWebhook = actionMutation('projects_TestWebhook', 'projects_WebhookDelivered');
/** Sends a message again. */
export const replayDelivery = actionMutation('projects_ReplayWebhookDelivery', 'projects_WebhookDelivered');
