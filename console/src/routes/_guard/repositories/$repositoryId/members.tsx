import { createFileRoute } from '@tanstack/react-router';
import { useMemo } from 'react';
import {
  repositoryInvitationsQuery,
  repositoryMembersQuery,
  repositoryQuery,
} from '../../../../data/queries-repositories.ts';
import { useLoadedQuery } from '../../../../data/use-loaded-query.ts';
import { repositoryMembership } from '../../../../features/members/membership.ts';
import { parseMembersSearch } from '../../../../features/members/members-search.ts';
import { MembersPage } from '../../../../features/members/MembersPage.tsx';
import { MembersOnly } from '../../../../parts/MembersOnly.tsx';

export const Route = createFileRoute('/_guard/repositories/$repositoryId/members')({
  validateSearch: parseMembersSearch,
  loader: async ({ context: { queryClient }, params: { repositoryId } }) => {
    const { canWrite: isMember } = await queryClient.ensureQueryData(repositoryQuery(repositoryId));
    if (!isMember) return { isMember };
    await Promise.all([
      queryClient.ensureQueryData(repositoryMembersQuery(repositoryId)),
      queryClient.ensureQueryData(repositoryInvitationsQuery(repositoryId)),
    ]);
    return { isMember };
  },
  component: Members,
});

function Members() {
  const { repositoryId } = Route.useParams();
  const { userId } = Route.useRouteContext();
  const { isMember } = Route.useLoaderData();
  const { name, isOwner } = useLoadedQuery(repositoryQuery(repositoryId)).data;
  const membership = useMemo(() => repositoryMembership(repositoryId), [repositoryId]);
  if (!isMember) return <MembersOnly />;
  return <MembersPage key={repositoryId} {...{ membership, name, userId, isOwner }} />;
}
