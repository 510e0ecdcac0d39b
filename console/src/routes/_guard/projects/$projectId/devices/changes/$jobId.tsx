import type { Id } from '@corral/contract';
import { createFileRoute, notFound } from '@tanstack/react-router';
import { ChangePage } from '../../../../../../features/devices/changes/ChangePage.tsx';
import { parseChangeSearch } from '../../../../../../features/devices/changes/change-search.ts';
import { changeQuery } from '../../../../../../features/devices/changes/changes.ts';
import { isNotFound } from '../../../../../../data/query-client.ts';
import { NotFoundScreen } from '../../../../../../shell/not-found/NotFoundScreen.tsx';

export const Route = createFileRoute('/_guard/projects/$projectId/devices/changes/$jobId')({
  params: {
    // Not validated here: the hub answers an invalid id like one that does not exist.
    parse: ({ jobId }) => ({ jobId: jobId as Id<'fleetJob'> }),
    stringify: ({ jobId }) => ({ jobId }),
  },
  validateSearch: parseChangeSearch,
  loader: async ({ context: { queryClient }, params: { jobId } }) => {
    try {
      await queryClient.ensureQueryData(changeQuery(jobId));
    } catch (error) {
      if (isNotFound(error)) throw notFound();
      throw error;
    }
  },
  notFoundComponent: () => <NotFoundScreen />,
  component: Change,
});

function Change() {
  const { projectId, jobId } = Route.useParams();
  return <ChangePage key={jobId} {...{ projectId, jobId }} />;
}
