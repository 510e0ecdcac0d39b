import { SecretDialog } from '../../ui/overlay/SecretDialog.tsx';
import { webhooksCopy } from './copy.ts';

const words = webhooksCopy.secret;

/** Shows the secret of a webhook, once; `text` says what there is to know besides. */
export function WebhookSecretDialog({
  secret,
  title,
  text = '',
  onStored,
}: {
  secret: string | undefined;
  title: string;
  text?: string | undefined;
  onStored: () => void;
}) {
  return (
    <SecretDialog {...{ secret, title, onStored }} what={words.what} variable="CORRAL_WEBHOOK_SECRET">
      <p className="text-body text-ink2">
        {words.use} {text}
      </p>
    </SecretDialog>
  );
}
