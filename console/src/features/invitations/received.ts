import type { Id, Output } from '@corral/contract';
import { actionMutation, type Run } from '../../data/action-mutation.ts';
import { type Patch, patchRows } from '../../data/optimistic.ts';
import {
  receivedProjectInvitationsQuery,
  receivedRepositoryInvitationsQuery,
} from '../../data/queries-account.ts';
import { useLoadedQuery } from '../../data/use-loaded-query.ts';
import type { RowSource } from '../../parts/row-source.ts';

type ToProject = Output<'users_QueryUserProjectInvitations'>['invitations'][number];
type ToRepository = Output<'users_QueryUserRepositoryInvitations'>['invitations'][number];

/** An invitation that the user received, to a project or to a repository. */
export type Received = { readonly name: string } & (
  | ({ readonly kind: 'project' } & ToProject)
  | ({ readonly kind: 'repository' } & ToRepository)
);

/** The invitations of the user to projects and repositories, newest first. */
export function receivedRows(userId: Id<'user'>): RowSource<Received> {
  return function useReceived() {
    const toProjects = useLoadedQuery(receivedProjectInvitationsQuery(userId)).data.invitations;
    const toRepositories = useLoadedQuery(receivedRepositoryInvitationsQuery(userId)).data.invitations;
    const rows: Received[] = [
      ...toProjects.map((one) => ({ kind: 'project' as const, name: one.project.name, ...one })),
      ...toRepositories.map((one) => ({ kind: 'repository' as const, name: one.repository.name, ...one })),
    ];
    return { rows: rows.toSorted((one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt)) };
  };
}

// An accepted invitation leaves the list at once.
const without =
  (name: 'users_QueryUserProjectInvitations' | 'users_QueryUserRepositoryInvitations') =>
  ({ invitationId }: { invitationId: string }): Patch[] => [
    patchRows(
      name,
      'invitations',
      (rows) => rows.filter((one) => one.invitationId !== invitationId) as typeof rows,
    ),
  ];
const toProject = {
  accept: actionMutation('users_AcceptProjectInvitation', 'projects_MemberAdded', {
    patches: without('users_QueryUserProjectInvitations'),
  }),
  decline: actionMutation('users_DeclineProjectInvitation', 'projects_InvitationDeclined'),
};
const toRepository = {
  accept: actionMutation('users_AcceptRepositoryInvitation', 'repositories_MemberAdded', {
    patches: without('users_QueryUserRepositoryInvitations'),
  }),
  decline: actionMutation('users_DeclineRepositoryInvitation', 'repositories_InvitationDeclined'),
};

/** Accepts or declines an invitation. */
export function answer(run: Run, invitation: Received, how: 'accept' | 'decline'): Promise<unknown> {
  if (invitation.kind === 'project') return run(toProject[how], { invitationId: invitation.invitationId });
  return run(toRepository[how], { invitationId: invitation.invitationId });
}
