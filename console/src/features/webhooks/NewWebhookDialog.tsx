import type { Id } from '@corral/contract';
import { useState } from 'react';
import { terms } from '../../copy/terms.ts';
import { useRun } from '../../data/action-mutation.ts';
import type { DialogProps } from '../../parts/use-lazy-dialog.ts';
import { FieldsDialog } from '../../ui/form/FieldsDialog.tsx';
import { webhooksCopy as words } from './copy.ts';
import { webhookFields, webhookSchema } from './webhook-form.ts';
import { createWebhook } from './webhook-mutations.ts';
import { WebhookSecretDialog } from './WebhookSecretDialog.tsx';

/** Creates a webhook, and shows its secret once. */
export function NewWebhookDialog({ projectId, ...dialog }: DialogProps & { projectId: Id<'project'> }) {
  const [secret, setSecret] = useState<string>();
  const run = useRun();
  return (
    <>
      <FieldsDialog
        {...dialog}
        title={terms.create.webhooks}
        description={words.text}
        submitLabel={terms.create.webhooks}
        draft={`webhook of ${projectId}`}
        fields={webhookFields()}
        schema={webhookSchema}
        onSubmit={async (given) => setSecret((await run(createWebhook, { projectId, ...given })).secret)}
      />
      <WebhookSecretDialog
        {...{ secret }}
        title={words.secret.created}
        onStored={() => setSecret(undefined)}
      />
    </>
  );
}
