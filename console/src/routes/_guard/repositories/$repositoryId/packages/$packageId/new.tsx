import { createFileRoute } from '@tanstack/react-router';
import { repositoryQuery } from '../../../../../../data/queries-repositories.ts';
import { useLoadedQuery } from '../../../../../../data/use-loaded-query.ts';
import { NewVersionPage } from '../../../../../../features/packages/publish/NewVersionPage.tsx';
import { packageVersionsQuery } from '../../../../../../features/packages/queries.ts';
import { rowsPerPage } from '../../../../../../parts/list-limits.ts';
import { MembersOnly } from '../../../../../../parts/MembersOnly.tsx';

export const Route = createFileRoute('/_guard/repositories/$repositoryId/packages/$packageId/new')({
  loader: ({ context, params }) =>
    context.queryClient.ensureQueryData(packageVersionsQuery(params.packageId, rowsPerPage)),
  component: NewVersion,
});

function NewVersion() {
  const { repositoryId, packageId } = Route.useParams();
  const { canWrite } = useLoadedQuery(repositoryQuery(repositoryId)).data;
  return canWrite ? <NewVersionPage key={packageId} {...{ repositoryId, packageId }} /> : <MembersOnly />;
}
