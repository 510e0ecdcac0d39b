import { createFileRoute } from '@tanstack/react-router';
import { deploymentTokensQuery } from '../../../../data/queries-projects.ts';
import { TokensPage } from '../../../../features/tokens/TokensPage.tsx';
import { parseTableSearch } from '../../../../parts/table-search.ts';

export const Route = createFileRoute('/_guard/projects/$projectId/tokens')({
  validateSearch: parseTableSearch,
  loader: ({ context, params }) =>
    context.queryClient.ensureQueryData(deploymentTokensQuery(params.projectId)),
  component: Tokens,
});

function Tokens() {
  const { projectId } = Route.useParams();
  return <TokensPage key={projectId} projectId={projectId} />;
}
