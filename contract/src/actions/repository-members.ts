import { z } from 'zod';
import { command } from '../define.ts';
import { ids } from '../ids.ts';
import { pagedQuery } from '../paging.ts';
import { empty, text } from '../scalars.ts';

const repository = { repositoryId: ids.repository.schema };

/** Actions on the members of repositories and on invitations to repositories. */
export const repositoryMembersActions = {
  repositories_QueryRepositoryMembers: pagedQuery({
    doc: 'Lists the members of a repository, owners first.',
    reads: ['members', 'users'],
    input: z.object(repository),
    output: z.object({
      members: z.array(
        z.object({
          userId: ids.user.schema,
          email: text,
          displayName: text.optional(),
          isOwner: z.boolean(),
        }),
      ),
    }),
  }),
  repositories_QueryRepositoryInvitations: pagedQuery({
    doc: 'Lists the pending invitations to a repository.',
    reads: ['invitations'],
    input: z.object(repository),
    output: z.object({
      invitations: z.array(
        z.object({
          invitationId: ids.repositoryInvitation.schema,
          email: text,
          invitingUserId: ids.user.schema.optional(),
        }),
      ),
    }),
  }),
  repositories_AddRepositoryMember: command({
    doc: 'Makes an existing user a member of a repository; owners only.',
    input: z.object({ ...repository, userId: ids.user.schema, isOwner: z.boolean().optional() }),
    output: empty,
  }),
  repositories_RemoveRepositoryMember: command({
    doc: 'Removes a member from a repository; owners may remove anyone, members themselves, and the last owner stays.',
    input: z.object({ ...repository, userId: ids.user.schema }),
    output: empty,
  }),
  repositories_InviteRepositoryMember: command({
    doc: 'Invites a person to a repository by e-mail address.',
    input: z.object({ ...repository, email: text }),
    output: z.object({ invitationId: ids.repositoryInvitation.schema }),
  }),
  repositories_DeleteRepositoryInvitation: command({
    doc: 'Deletes a pending invitation to a repository.',
    input: z.object({ invitationId: ids.repositoryInvitation.schema }),
    output: empty,
  }),
} as const;
