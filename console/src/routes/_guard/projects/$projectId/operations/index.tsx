import { createFileRoute } from '@tanstack/react-router';
import { fleetOperationsQuery } from '../../../../../features/operations/fleet-operations.ts';
import { parseOperationsSearch } from '../../../../../features/operations/operations-search.ts';
import { OperationsPage } from '../../../../../features/operations/OperationsPage.tsx';

export const Route = createFileRoute('/_guard/projects/$projectId/operations/')({
  validateSearch: parseOperationsSearch,
  loaderDeps: ({ search: { status } }) => ({ status }),
  loader: ({ context, params, deps }) =>
    context.queryClient.ensureQueryData(fleetOperationsQuery(params.projectId, deps)),
  component: Operations,
});

function Operations() {
  const { projectId } = Route.useParams();
  return <OperationsPage key={projectId} projectId={projectId} />;
}
