import { z } from 'zod';
import { command } from '../define.ts';
import { ids } from '../ids.ts';
import { invitationLink, invitedAddress, member, sentInvitation, successor } from '../member-shapes.ts';
import { pagedQuery } from '../paging.ts';
import { empty } from '../scalars.ts';

const project = { projectId: ids.project.schema };
const invitation = { invitationId: ids.projectInvitation.schema };

/** Actions on the members of projects and on invitations to projects. */
export const projectMembersActions = {
  projects_QueryProjectMembers: pagedQuery({
    doc: 'Lists the members of a project, owners first.',
    reads: ['members', 'users'],
    input: z.object(project),
    output: z.object({ users: z.array(member) }),
  }),
  projects_QueryProjectInvitations: pagedQuery({
    doc: 'Lists the pending invitations to a project, newest first.',
    reads: ['invitations'],
    input: z.object(project),
    output: z.object({ invitations: z.array(z.object({ ...invitation, ...sentInvitation })) }),
  }),
  projects_AddProjectMember: command({
    doc: 'Makes an existing user a member of a project; owners only.',
    input: z.object({ ...project, userId: ids.user.schema, isOwner: z.boolean().optional() }),
    output: empty,
  }),
  projects_SetProjectMemberRole: command({
    doc: 'Makes a member of a project an owner, or an owner a member; owners only, and the last owner stays one.',
    input: z.object({ ...project, userId: ids.user.schema, isOwner: z.boolean() }),
    output: empty,
  }),
  projects_RemoveProjectMember: command({
    doc: 'Removes a member from a project; owners and administrators may remove anyone, members themselves, and the last owner stays unless another is named.',
    input: z.object({ ...project, userId: ids.user.schema, ...successor }),
    output: empty,
  }),
  projects_InviteProjectMember: command({
    doc: 'Invites a person to a project by e-mail for 14 days; owners only.',
    input: z.object({ ...project, ...invitedAddress }),
    output: z.object({
      ...invitation,
      /** False if the address gets too many e-mails: the invitation has a link that can be passed on. */
      isMailed: z.boolean().optional(),
    }),
  }),
  projects_ResendProjectInvitation: command({
    doc: 'Sends the e-mail of a pending invitation to a project again, which then ends 14 days later; owners only.',
    input: z.object(invitation),
    output: empty,
  }),
  projects_IssueProjectInvitationLink: command({
    doc: 'Returns the link of a pending invitation to a project, as its e-mail contains it; owners only.',
    input: z.object(invitation),
    output: invitationLink,
  }),
  projects_DeleteProjectInvitation: command({
    doc: 'Revokes a pending invitation to a project; owners only.',
    input: z.object(invitation),
    output: empty,
  }),
} as const;
