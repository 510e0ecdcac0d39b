import { createFileRoute } from '@tanstack/react-router';
import { usersQuery } from '../../../data/queries-account.ts';
import { UsersPage } from '../../../features/admin/users/UsersPage.tsx';
import { parseUsersSearch } from '../../../features/admin/users/users-search.ts';
import { filterOf } from '../../../features/admin/users/users-view.ts';
import { rowsPerPage } from '../../../parts/list-limits.ts';

export const Route = createFileRoute('/_guard/admin/users')({
  validateSearch: parseUsersSearch,
  loaderDeps: ({ search: { show } }) => ({ show }),
  loader: ({ context, deps }) =>
    context.queryClient.ensureQueryData(usersQuery({ ...filterOf(deps.show), limit: rowsPerPage })),
  component: Users,
});

function Users() {
  const { userId } = Route.useRouteContext();
  return <UsersPage userId={userId} />;
}
