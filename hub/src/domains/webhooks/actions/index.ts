// Generated from the files of hub/src/domains/ by `node tools/launch.cjs generate`.
import { ChangeWebhook } from './ChangeWebhook.ts';
import { CreateWebhook } from './CreateWebhook.ts';
import { DeleteWebhook } from './DeleteWebhook.ts';
import { QueryWebhookDeliveries } from './QueryWebhookDeliveries.ts';
import { QueryWebhooks } from './QueryWebhooks.ts';
import { ReplayWebhookDelivery } from './ReplayWebhookDelivery.ts';
import { RotateWebhookSecret } from './RotateWebhookSecret.ts';
import { TestWebhook } from './TestWebhook.ts';

/** The actions of this domain by wire name. */
export const webhooksActions = {
  projects_ChangeWebhook: ChangeWebhook,
  projects_CreateWebhook: CreateWebhook,
  projects_DeleteWebhook: DeleteWebhook,
  projects_QueryWebhookDeliveries: QueryWebhookDeliveries,
  projects_QueryWebhooks: QueryWebhooks,
  projects_ReplayWebhookDelivery: ReplayWebhookDelivery,
  projects_RotateWebhookSecret: RotateWebhookSecret,
  projects_TestWebhook: TestWebhook,
};
