import { createFileRoute } from '@tanstack/react-router';
import { useMemo } from 'react';
import {
  projectInvitationsQuery,
  projectMembersQuery,
  projectQuery,
} from '../../../../data/queries-projects.ts';
import { useLoadedQuery } from '../../../../data/use-loaded-query.ts';
import { projectMembership } from '../../../../features/members/membership.ts';
import { parseMembersSearch } from '../../../../features/members/members-search.ts';
import { MembersPage } from '../../../../features/members/MembersPage.tsx';

export const Route = createFileRoute('/_guard/projects/$projectId/members')({
  validateSearch: parseMembersSearch,
  loader: ({ context: { queryClient }, params: { projectId } }) =>
    Promise.all([
      queryClient.ensureQueryData(projectMembersQuery(projectId)),
      queryClient.ensureQueryData(projectInvitationsQuery(projectId)),
    ]),
  component: Members,
});

function Members() {
  const { projectId } = Route.useParams();
  const { userId } = Route.useRouteContext();
  const { name, isOwner } = useLoadedQuery(projectQuery(projectId)).data;
  const membership = useMemo(() => projectMembership(projectId), [projectId]);
  return <MembersPage key={projectId} {...{ membership, name, userId }} isOwner={isOwner !== false} />;
}
