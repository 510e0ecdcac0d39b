import { createFileRoute } from '@tanstack/react-router';
import {
  receivedProjectInvitationsQuery,
  receivedRepositoryInvitationsQuery,
} from '../../../data/queries-account.ts';
import { InvitationsPage } from '../../../features/invitations/InvitationsPage.tsx';
import { parseTableSearch } from '../../../parts/table-search.ts';

export const Route = createFileRoute('/_guard/user/invitations')({
  validateSearch: (search: Record<string, unknown>) => ({
    ...parseTableSearch(search),
    /** The token of the link by which the user came. */
    link: typeof search['link'] === 'string' ? search['link'] : undefined,
  }),
  loader: ({ context: { queryClient, userId } }) =>
    Promise.all([
      queryClient.ensureQueryData(receivedProjectInvitationsQuery(userId)),
      queryClient.ensureQueryData(receivedRepositoryInvitationsQuery(userId)),
    ]),
  component: Invitations,
});

function Invitations() {
  const { userId } = Route.useRouteContext();
  const { link } = Route.useSearch();
  return <InvitationsPage userId={userId} token={link} />;
}
