import type { Id, Output } from '@corral/contract';
import { actionMutation } from '../../data/action-mutation.ts';
import { patchAnswers } from '../../data/optimistic.ts';
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

const withoutProjectInvitation = ({ invitationId }: { invitationId: string }) => [
  patchAnswers('users_QueryUserProjectInvitations', (answer) => ({
    ...answer,
    invitations: answer.invitations.filter((one) => one.invitationId !== invitationId),
  })),
];
const withoutRepositoryInvitation = ({ invitationId }: { invitationId: string }) => [
  patchAnswers('users_QueryUserRepositoryInvitations', (answer) => ({
    ...answer,
    invitations: answer.invitations.filter((one) => one.invitationId !== invitationId),
  })),
];

/** Accepts an invitation to a project; it leaves the list at once. */
export const acceptProjectInvitation = actionMutation(
  'users_AcceptProjectInvitation',
  'projects_MemberAdded',
  {
    patches: withoutProjectInvitation,
  },
);
/** Accepts an invitation to a repository; it leaves the list at once. */
export const acceptRepositoryInvitation = actionMutation(
  'users_AcceptRepositoryInvitation',
  'repositories_MemberAdded',
  { patches: withoutRepositoryInvitation },
);
/** Declines an invitation to a project. */
export const declineProjectInvitation = actionMutation(
  'users_DeclineProjectInvitation',
  'projects_InvitationDeclined',
);
/** Declines an invitation to a repository. */
export const declineRepositoryInvitation = actionMutation(
  'users_DeclineRepositoryInvitation',
  'repositories_InvitationDeclined',
);
