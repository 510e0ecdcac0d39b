import { z } from 'zod';
import { command } from '../define.ts';
import { ids } from '../ids.ts';
import { invitationLink, invitedAddress, member, sentInvitation, successor } from '../member-shapes.ts';
import { pagedQuery } from '../paging.ts';
import { empty } from '../scalars.ts';

const repository = { repositoryId: ids.repository.schema };
const invitation = { invitationId: ids.repositoryInvitation.schema };

/** Actions on the members of repositories and on invitations to repositories. */
export const repositoryMembersActions = {
  repositories_QueryRepositoryMembers: pagedQuery({
    doc: 'Lists the members of a repository, owners first.',
    reads: ['members', 'users'],
    input: z.object(repository),
    output: z.object({ members: z.array(member) }),
  }),
  repositories_QueryRepositoryInvitations: pagedQuery({
    doc: 'Lists the pending invitations to a repository, newest first.',
    reads: ['invitations'],
    input: z.object(repository),
    output: z.object({ invitations: z.array(z.object({ ...invitation, ...sentInvitation })) }),
  }),
  repositories_AddRepositoryMember: command({
    doc: 'Makes an existing user a member of a repository; owners only.',
    input: z.object({ ...repository, userId: ids.user.schema, isOwner: z.boolean().optional() }),
    output: empty,
  }),
  repositories_SetRepositoryMemberRole: command({
    doc: 'Makes a member of a repository an owner, or an owner a member; owners only, and the last owner stays one.',
    input: z.object({ ...repository, userId: ids.user.schema, isOwner: z.boolean() }),
    output: empty,
  }),
  repositories_RemoveRepositoryMember: command({
    doc: 'Removes a member from a repository; owners and administrators may remove anyone, members themselves, and the last owner stays unless another is named.',
    input: z.object({ ...repository, userId: ids.user.schema, ...successor }),
    output: empty,
  }),
  repositories_InviteRepositoryMember: command({
    doc: 'Invites a person to a repository by e-mail for 14 days; owners only.',
    input: z.object({ ...repository, ...invitedAddress }),
    output: z.object({
      ...invitation,
      /** False if the address gets too many e-mails: the invitation has a link that can be passed on. */
      isMailed: z.boolean().optional(),
    }),
  }),
  repositories_ResendRepositoryInvitation: command({
    doc: 'Sends the e-mail of a pending invitation to a repository again, which then ends 14 days later; owners only.',
    input: z.object(invitation),
    output: empty,
  }),
  repositories_IssueRepositoryInvitationLink: command({
    doc: 'Returns the link of a pending invitation to a repository, as its e-mail contains it; owners only.',
    input: z.object(invitation),
    output: invitationLink,
  }),
  repositories_DeleteRepositoryInvitation: command({
    doc: 'Revokes a pending invitation to a repository; owners only.',
    input: z.object(invitation),
    output: empty,
  }),
} as const;
