import { z } from 'zod';
import { command, query } from '../define.ts';
import { repositoryVisibility } from '../enums.ts';
import { ids } from '../ids.ts';
import { pagedQuery } from '../paging.ts';
import { empty, text, uint64 } from '../scalars.ts';
import { auditLogEvent, logPage, ownership } from '../shapes.ts';

/** Actions on repositories, their members, invitations and visibility. */
export const repositoriesActions = {
  repositories_ResolveRepositoryName: query({
    doc: 'Resolves the name of a repository to its id.',
    reads: ['repositories'],
    input: z.object({ repository: text }),
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('Found'), repositoryId: ids.repository.schema }),
      z.object({ result: z.literal('NotFound') }),
    ]),
  }),
  repositories_GetRepositoryDetails: query({
    doc: 'Returns a repository with its counts.',
    reads: ['repositories'],
    input: z.object({ repositoryId: ids.repository.schema }),
    output: z.object({
      repositoryId: ids.repository.schema,
      name: text,
      visibility: repositoryVisibility,
      packageCount: uint64,
      assetCount: uint64,
    }),
  }),
  repositories_CreateRepository: command({
    doc: 'Creates a repository, private by default; names are unique in the instance.',
    input: z
      .object({
        /** The name; `displayName` may be sent instead. */
        name: text.optional(),
        displayName: text.optional(),
        ...ownership,
        visibility: repositoryVisibility.optional(),
      })
      .refine(
        ({ name, displayName }) => (name ?? displayName) !== undefined,
        'must have a name or a displayName',
      ),
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('NameAlreadyExists') }),
      z.object({ result: z.literal('Created'), repositoryId: ids.repository.schema }),
    ]),
  }),
  repositories_DeleteRepository: command({
    doc: 'Deletes a repository with its packages, versions and assets.',
    input: z.object({ repositoryId: ids.repository.schema }),
    output: empty,
  }),
  repositories_SetRepositoryVisibility: command({
    doc: 'Makes a repository public or private.',
    input: z.object({ repositoryId: ids.repository.schema, visibility: repositoryVisibility }),
    output: empty,
  }),
  repositories_QueryRepositoryMembers: pagedQuery({
    doc: 'Lists the members of a repository, owners first.',
    reads: ['repositories', 'users'],
    input: z.object({ repositoryId: ids.repository.schema }),
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
    input: z.object({ repositoryId: ids.repository.schema }),
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
  repositories_QueryRepositoryProjects: pagedQuery({
    doc: 'Lists the projects that a repository is linked to.',
    reads: ['repositories', 'projects'],
    input: z.object({ repositoryId: ids.repository.schema }),
    output: z.object({ projects: z.array(z.object({ projectId: ids.project.schema, name: text })) }),
  }),
  repositories_AddRepositoryMember: command({
    doc: 'Makes an existing user a member of a repository.',
    input: z.object({
      repositoryId: ids.repository.schema,
      userId: ids.user.schema,
      isOwner: z.boolean().optional(),
    }),
    output: empty,
  }),
  repositories_RemoveRepositoryMember: command({
    doc: 'Removes a member from a repository; the last owner stays.',
    input: z.object({ repositoryId: ids.repository.schema, userId: ids.user.schema }),
    output: empty,
  }),
  repositories_InviteRepositoryMember: command({
    doc: 'Invites a person to a repository by e-mail address.',
    input: z.object({ repositoryId: ids.repository.schema, email: text }),
    output: z.object({ invitationId: ids.repositoryInvitation.schema }),
  }),
  repositories_DeleteRepositoryInvitation: command({
    doc: 'Deletes a pending invitation to a repository.',
    input: z.object({ invitationId: ids.repositoryInvitation.schema }),
    output: empty,
  }),
  repositories_QueryAuditLogEvents: pagedQuery({
    doc: 'Lists the audit events of a repository, newest first.',
    reads: ['log'],
    input: z.object({ repositoryId: ids.repository.schema, ...logPage }),
    output: z.object({ events: z.array(auditLogEvent) }),
  }),
} as const;
