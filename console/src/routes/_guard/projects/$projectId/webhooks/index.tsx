import { createFileRoute } from '@tanstack/react-router';
import { WebhooksPage } from '../../../../../features/webhooks/WebhooksPage.tsx';
import { webhooksQuery } from '../../../../../features/webhooks/webhooks.ts';
import { parseTableSearch } from '../../../../../parts/table-search.ts';

export const Route = createFileRoute('/_guard/projects/$projectId/webhooks/')({
  validateSearch: parseTableSearch,
  loader: ({ context, params }) => context.queryClient.ensureQueryData(webhooksQuery(params.projectId)),
  component: Webhooks,
});

function Webhooks() {
  const { projectId } = Route.useParams();
  return <WebhooksPage key={projectId} projectId={projectId} />;
}
