import { createFileRoute } from '@tanstack/react-router';
import { userRepositoriesQuery } from '../../../data/queries-repositories.ts';
import { RepositoriesPage } from '../../../features/repositories/RepositoriesPage.tsx';

export const Route = createFileRoute('/_guard/repositories/')({
  loader: ({ context }) => context.queryClient.ensureQueryData(userRepositoriesQuery(context.userId)),
  component: Repositories,
});

function Repositories() {
  return <RepositoriesPage userId={Route.useRouteContext().userId} />;
}
