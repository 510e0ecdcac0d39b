import { createFileRoute } from '@tanstack/react-router';
import { TerminalsPage } from '../../../../../features/terminals/TerminalsPage.tsx';
import { parseTerminalsSearch } from '../../../../../features/terminals/terminals-search.ts';
import { terminalsQuery } from '../../../../../parts/terminal/terminals.ts';

export const Route = createFileRoute('/_guard/projects/$projectId/terminals/')({
  validateSearch: parseTerminalsSearch,
  loaderDeps: ({ search: { state } }) => ({ state }),
  loader: ({ context, params, deps }) =>
    void context.queryClient.prefetchQuery(terminalsQuery({ projectId: params.projectId }, deps.state)),
  component: Terminals,
});

function Terminals() {
  const { projectId } = Route.useParams();
  return <TerminalsPage key={projectId} projectId={projectId} />;
}
