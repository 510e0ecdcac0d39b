// Generated from the files of hub/src/domains/ by `node tools/launch.cjs generate`.
import { AcceptProjectInvitation } from './AcceptProjectInvitation.ts';
import { AcceptRepositoryInvitation } from './AcceptRepositoryInvitation.ts';
import { AddProjectMember } from './AddProjectMember.ts';
import { AddRepositoryMember } from './AddRepositoryMember.ts';
import { DeclineProjectInvitation } from './DeclineProjectInvitation.ts';
import { DeclineRepositoryInvitation } from './DeclineRepositoryInvitation.ts';
import { DeleteProjectInvitation } from './DeleteProjectInvitation.ts';
import { DeleteRepositoryInvitation } from './DeleteRepositoryInvitation.ts';
import { InviteProjectMember } from './InviteProjectMember.ts';
import { InviteRepositoryMember } from './InviteRepositoryMember.ts';
import { IssueProjectInvitationLink } from './IssueProjectInvitationLink.ts';
import { IssueRepositoryInvitationLink } from './IssueRepositoryInvitationLink.ts';
import { QueryProjectInvitations } from './QueryProjectInvitations.ts';
import { QueryProjectMembers } from './QueryProjectMembers.ts';
import { QueryRepositoryInvitations } from './QueryRepositoryInvitations.ts';
import { QueryRepositoryMembers } from './QueryRepositoryMembers.ts';
import { QueryUserProjectInvitations } from './QueryUserProjectInvitations.ts';
import { QueryUserRepositoryInvitations } from './QueryUserRepositoryInvitations.ts';
import { RemoveProjectMember } from './RemoveProjectMember.ts';
import { RemoveRepositoryMember } from './RemoveRepositoryMember.ts';
import { ResendProjectInvitation } from './ResendProjectInvitation.ts';
import { ResendRepositoryInvitation } from './ResendRepositoryInvitation.ts';
import { ResolveInvitation } from './ResolveInvitation.ts';
import { SetProjectMemberRole } from './SetProjectMemberRole.ts';
import { SetRepositoryMemberRole } from './SetRepositoryMemberRole.ts';

/** The actions of this domain by wire name. */
export const membersActions = {
  users_AcceptProjectInvitation: AcceptProjectInvitation,
  users_AcceptRepositoryInvitation: AcceptRepositoryInvitation,
  projects_AddProjectMember: AddProjectMember,
  repositories_AddRepositoryMember: AddRepositoryMember,
  users_DeclineProjectInvitation: DeclineProjectInvitation,
  users_DeclineRepositoryInvitation: DeclineRepositoryInvitation,
  projects_DeleteProjectInvitation: DeleteProjectInvitation,
  repositories_DeleteRepositoryInvitation: DeleteRepositoryInvitation,
  projects_InviteProjectMember: InviteProjectMember,
  repositories_InviteRepositoryMember: InviteRepositoryMember,
  projects_IssueProjectInvitationLink: IssueProjectInvitationLink,
  repositories_IssueRepositoryInvitationLink: IssueRepositoryInvitationLink,
  projects_QueryProjectInvitations: QueryProjectInvitations,
  projects_QueryProjectMembers: QueryProjectMembers,
  repositories_QueryRepositoryInvitations: QueryRepositoryInvitations,
  repositories_QueryRepositoryMembers: QueryRepositoryMembers,
  users_QueryUserProjectInvitations: QueryUserProjectInvitations,
  users_QueryUserRepositoryInvitations: QueryUserRepositoryInvitations,
  projects_RemoveProjectMember: RemoveProjectMember,
  repositories_RemoveRepositoryMember: RemoveRepositoryMember,
  projects_ResendProjectInvitation: ResendProjectInvitation,
  repositories_ResendRepositoryInvitation: ResendRepositoryInvitation,
  users_ResolveInvitation: ResolveInvitation,
  projects_SetProjectMemberRole: SetProjectMemberRole,
  repositories_SetRepositoryMemberRole: SetRepositoryMemberRole,
};
