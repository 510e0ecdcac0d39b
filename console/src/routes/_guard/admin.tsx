import { createFileRoute, notFound, Outlet } from '@tanstack/react-router';
import { terms } from '../../copy/terms.ts';
import { userQuery } from '../../data/queries-account.ts';
import { useLoadedQuery } from '../../data/use-loaded-query.ts';
import { NotFoundScreen } from '../../shell/not-found/NotFoundScreen.tsx';
import { ScopeNavigation } from '../../shell/ScopeNavigation.tsx';
import { useTitleScope } from '../../ui/layout/document-title.ts';

export const Route = createFileRoute('/_guard/admin')({
  // For others the page does not exist. This only hides it: the hub refuses them each action.
  beforeLoad: async ({ context }) => {
    const user = await context.queryClient.ensureQueryData(userQuery(context.userId));
    if (!user.isAdmin) throw notFound();
  },
  notFoundComponent: () => <NotFoundScreen />,
  component: AdminLayout,
});

function AdminLayout() {
  const { userId } = Route.useRouteContext();
  const { data: user } = useLoadedQuery(userQuery(userId));
  useTitleScope(terms.sections.administration);
  if (!user.isAdmin) throw notFound();
  return (
    <>
      <ScopeNavigation scope="admin" label={terms.sections.administration} isAdmin />
      <Outlet />
    </>
  );
}
