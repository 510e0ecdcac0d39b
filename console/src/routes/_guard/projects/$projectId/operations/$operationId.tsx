import type { Id } from '@corral/contract';
import { createFileRoute, notFound } from '@tanstack/react-router';
import { fleetOperationQuery } from '../../../../../features/operations/fleet-operations.ts';
import { OperationPage } from '../../../../../features/operations/operation/OperationPage.tsx';
import { parseOperationSearch } from '../../../../../features/operations/operations-search.ts';
import { isNotFound } from '../../../../../data/query-client.ts';
import { NotFoundScreen } from '../../../../../shell/not-found/NotFoundScreen.tsx';

export const Route = createFileRoute('/_guard/projects/$projectId/operations/$operationId')({
  params: {
    // Not validated here: the hub answers an invalid id like one that does not exist.
    parse: ({ operationId }) => ({ operationId: operationId as Id<'fleetOperation'> }),
    stringify: ({ operationId }) => ({ operationId }),
  },
  validateSearch: parseOperationSearch,
  loader: async ({ context: { queryClient }, params: { operationId } }) => {
    try {
      const found = await queryClient.ensureQueryData(fleetOperationQuery(operationId));
      if (found.result === 'NotFound') throw notFound();
    } catch (error) {
      if (isNotFound(error)) throw notFound();
      throw error;
    }
  },
  notFoundComponent: () => <NotFoundScreen />,
  component: Operation,
});

function Operation() {
  const { projectId, operationId } = Route.useParams();
  return <OperationPage key={operationId} {...{ projectId }} fleetOperationId={operationId} />;
}
