import { z } from 'zod';
import { command } from '../define.ts';
import { ids } from '../ids.ts';
import { pagedQuery } from '../paging.ts';
import { empty, nameText, text, timestamp, uint32 } from '../scalars.ts';

const serviceAccounts = z.object({
  serviceAccounts: z.array(
    z.object({
      userId: ids.user.schema,
      name: text,
      createdAt: timestamp,
      tokenCount: uint32,
      /** When one of its tokens was used. */
      lastUsedAt: timestamp.optional(),
    }),
  ),
});

const made = z.object({ userId: ids.user.schema });

/** Actions on service accounts: members of one project or repository that are no people, and act by tokens only. */
export const serviceAccountsActions = {
  projects_QueryProjectServiceAccounts: pagedQuery({
    doc: 'Lists the service accounts of a project by name.',
    reads: ['members', 'tokens'],
    input: z.object({ projectId: ids.project.schema }),
    output: serviceAccounts,
  }),
  projects_CreateProjectServiceAccount: command({
    doc: 'Makes a service account of a project, which is a member of it and never signs in; for owners, in a session.',
    input: z.object({ projectId: ids.project.schema, name: nameText }),
    output: made,
  }),
  repositories_QueryRepositoryServiceAccounts: pagedQuery({
    doc: 'Lists the service accounts of a repository by name.',
    reads: ['members', 'tokens'],
    input: z.object({ repositoryId: ids.repository.schema }),
    output: serviceAccounts,
  }),
  repositories_CreateRepositoryServiceAccount: command({
    doc: 'Makes a service account of a repository, which is a member of it and never signs in; for owners, in a session.',
    input: z.object({ repositoryId: ids.repository.schema, name: nameText }),
    output: made,
  }),
  users_DeleteServiceAccount: command({
    doc: 'Deletes a service account with its tokens; for owners of its project or repository, in a session.',
    input: z.object({ userId: ids.user.schema }),
    output: empty,
  }),
} as const;
