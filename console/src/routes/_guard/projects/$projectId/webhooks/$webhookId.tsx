import type { Id } from '@corral/contract';
import { createFileRoute } from '@tanstack/react-router';
import { WebhookPage } from '../../../../../features/webhooks/WebhookPage.tsx';
import { parseWebhookSearch } from '../../../../../features/webhooks/webhook-search.ts';
import { webhooksQuery } from '../../../../../features/webhooks/webhooks.ts';
import { NotFoundScreen } from '../../../../../shell/not-found/NotFoundScreen.tsx';

export const Route = createFileRoute('/_guard/projects/$projectId/webhooks/$webhookId')({
  params: {
    parse: ({ webhookId }) => ({ webhookId: webhookId as Id<'webhook'> }),
    stringify: ({ webhookId }) => ({ webhookId }),
  },
  validateSearch: parseWebhookSearch,
  loader: ({ context, params }) => context.queryClient.ensureQueryData(webhooksQuery(params.projectId)),
  notFoundComponent: () => <NotFoundScreen />,
  component: Webhook,
});

function Webhook() {
  const { projectId, webhookId } = Route.useParams();
  return <WebhookPage key={webhookId} {...{ projectId, webhookId }} />;
}
