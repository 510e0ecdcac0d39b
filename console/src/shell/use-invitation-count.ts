import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import {
  receivedProjectInvitationsQuery,
  receivedRepositoryInvitationsQuery,
} from '../data/queries-account.ts';

/** How many invitations wait for the user; the live stream keeps it up to date. 0 until it is known. */
export function useInvitationCount(userId: Id<'user'>): number {
  const { data: toProjects } = useQuery(receivedProjectInvitationsQuery(userId));
  const { data: toRepositories } = useQuery(receivedRepositoryInvitationsQuery(userId));
  return (toProjects?.invitations.length ?? 0) + (toRepositories?.invitations.length ?? 0);
}
