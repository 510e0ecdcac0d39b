// What the other parts use of this domain.
export { reencryptWebhookSecrets } from './sql/webhooks.ts';
