import type { Id, Output } from '@corral/contract';
import { actionMutation, type Run } from '../../data/action-mutation.ts';
import { projectInvitationsQuery, projectMembersQuery } from '../../data/queries-projects.ts';
import { repositoryInvitationsQuery, repositoryMembersQuery } from '../../data/queries-repositories.ts';
import { queryRows, type RowSource } from '../../parts/row-source.ts';
import type { ScopeKind } from './copy.ts';

/** A member of a project or a repository. */
export type Member = Output<'projects_QueryProjectMembers'>['users'][number];

type ProjectInvitation = Output<'projects_QueryProjectInvitations'>['invitations'][number];

/** A pending invitation to a project or a repository. */
export type Invitation = Omit<ProjectInvitation, 'invitationId'> & { readonly invitationId: string };

/** The members of one project or repository and the invitations to it: what the page reads and changes, whichever of the two it is. */
export interface Membership {
  readonly kind: ScopeKind;
  readonly id: string;
  readonly members: RowSource<Member>;
  readonly invitations: RowSource<Invitation>;
  readonly invite: (run: Run, email: string) => Promise<{ readonly isMailed?: boolean | undefined }>;
  readonly setOwner: (run: Run, userId: Id<'user'>, isOwner: boolean) => Promise<unknown>;
  /** `newOwner` takes the place of the last owner. */
  readonly remove: (run: Run, userId: Id<'user'>, newOwner?: Id<'user'>) => Promise<unknown>;
  readonly resend: (run: Run, invitation: Invitation) => Promise<unknown>;
  readonly revoke: (run: Run, invitation: Invitation) => Promise<unknown>;
  readonly linkOf: (run: Run, invitation: Invitation) => Promise<{ readonly url: string }>;
}

const project = {
  invite: actionMutation('projects_InviteProjectMember', 'projects_InvitationCreated'),
  setRole: actionMutation('projects_SetProjectMemberRole', 'projects_MemberRoleChanged'),
  remove: actionMutation('projects_RemoveProjectMember', 'projects_MemberRemoved'),
  resend: actionMutation('projects_ResendProjectInvitation', 'projects_InvitationResent'),
  revoke: actionMutation('projects_DeleteProjectInvitation', 'projects_InvitationDeleted'),
  link: actionMutation('projects_IssueProjectInvitationLink', 'projects_InvitationLinkIssued'),
};

const repository = {
  invite: actionMutation('repositories_InviteRepositoryMember', 'repositories_InvitationCreated'),
  setRole: actionMutation('repositories_SetRepositoryMemberRole', 'repositories_MemberRoleChanged'),
  remove: actionMutation('repositories_RemoveRepositoryMember', 'repositories_MemberRemoved'),
  resend: actionMutation('repositories_ResendRepositoryInvitation', 'repositories_InvitationResent'),
  revoke: actionMutation('repositories_DeleteRepositoryInvitation', 'repositories_InvitationDeleted'),
  link: actionMutation('repositories_IssueRepositoryInvitationLink', 'repositories_InvitationLinkIssued'),
};

const toProject = ({ invitationId }: Invitation) => ({
  invitationId: invitationId as Id<'projectInvitation'>,
});
const toRepository = ({ invitationId }: Invitation) => ({
  invitationId: invitationId as Id<'repositoryInvitation'>,
});

const named = (newOwner: Id<'user'> | undefined) => (newOwner === undefined ? {} : { newOwner });

/** The membership of a project. */
export function projectMembership(projectId: Id<'project'>): Membership {
  return {
    kind: 'project',
    id: projectId,
    members: queryRows(projectMembersQuery(projectId), ({ users }) => users),
    invitations: queryRows(projectInvitationsQuery(projectId), ({ invitations }) => invitations),
    invite: (run, email) => run(project.invite, { projectId, email }),
    setOwner: (run, userId, isOwner) => run(project.setRole, { projectId, userId, isOwner }),
    remove: (run, userId, newOwner) => run(project.remove, { projectId, userId, ...named(newOwner) }),
    resend: (run, invitation) => run(project.resend, toProject(invitation)),
    revoke: (run, invitation) => run(project.revoke, toProject(invitation)),
    linkOf: (run, invitation) => run(project.link, toProject(invitation)),
  };
}

/** The membership of a repository. */
export function repositoryMembership(repositoryId: Id<'repository'>): Membership {
  return {
    kind: 'repository',
    id: repositoryId,
    members: queryRows(repositoryMembersQuery(repositoryId), ({ members }) => members),
    invitations: queryRows(repositoryInvitationsQuery(repositoryId), ({ invitations }) => invitations),
    invite: (run, email) => run(repository.invite, { repositoryId, email }),
    setOwner: (run, userId, isOwner) => run(repository.setRole, { repositoryId, userId, isOwner }),
    remove: (run, userId, newOwner) => run(repository.remove, { repositoryId, userId, ...named(newOwner) }),
    resend: (run, invitation) => run(repository.resend, toRepository(invitation)),
    revoke: (run, invitation) => run(repository.revoke, toRepository(invitation)),
    linkOf: (run, invitation) => run(repository.link, toRepository(invitation)),
  };
}
