import { z } from 'zod';
import { command, query } from '../define.ts';
import { repositoryVisibility } from '../enums.ts';
import { historyRange, seenBytes } from '../history-shapes.ts';
import { ids } from '../ids.ts';
import { pagedQuery } from '../paging.ts';
import { anyName, empty, text, timestamp, uint32, uint64 } from '../scalars.ts';
import { auditLogEvent, logPage, ownership } from '../shapes.ts';

const repository = { repositoryId: ids.repository.schema };

/** Actions on repositories themselves; see also their members, packages, versions, tags, files, assets and stores. */
export const repositoriesActions = {
  repositories_ResolveRepositoryName: query({
    doc: 'Resolves the name of a repository to its id.',
    reads: ['repositories'],
    input: z.object({ repository: anyName }),
    // Clients refuse a further field in this answer.
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('Found'), ...repository }),
      z.object({ result: z.literal('NotFound') }),
    ]),
  }),
  repositories_GetRepositoryDetails: query({
    doc: 'Returns a repository with its counts, its quotas, and what the caller may do.',
    reads: ['repositories', 'packages', 'assets', 'members'],
    input: z.object(repository),
    output: z.object({
      ...repository,
      name: text,
      /** The name under further names, which clients of 2026 read. */
      displayName: text,
      slug: text.optional(),
      publicName: text,
      visibility: repositoryVisibility,
      packageCount: uint64,
      assetCount: uint64,
      createdAt: timestamp,
      /** Whether the caller may change the repository itself. */
      isOwner: z.boolean(),
      /** Whether the caller may create and change packages, versions and assets, and see members, log and linked projects. */
      canWrite: z.boolean(),
      /** The bytes of all assets, those without stored bytes included. */
      usedBytes: uint64,
      maxBytes: uint64.optional(),
      maxAssets: uint64.optional(),
    }),
  }),
  repositories_QueryStoredBytes: query({
    doc: 'Returns how many bytes a repository stored, and how many of it the hub served, over a day, a week, 30 days or a year.',
    reads: [],
    input: z.object({ ...repository, range: historyRange }),
    output: z.object({
      /** When the first step begins. */
      from: timestamp,
      /** An hour, six hours of 30 days, or a day in UTC of a year. */
      stepSeconds: uint32,
      /** As `usedBytes`, as last seen in each step; null where nobody looked. */
      storedBytes: seenBytes,
      /** The bytes of assets that the hub sent in each step, of interrupted downloads as well; without those that an object store sent itself; null where nobody counted. */
      servedBytes: seenBytes,
    }),
  }),
  repositories_CreateRepository: command({
    doc: 'Creates a repository, private by default; names are unique in the instance; Invalid if the name is kept for a repository that had it.',
    input: z
      .object({
        /** The name; `displayName` may be sent instead. */
        name: anyName.optional(),
        displayName: anyName.optional(),
        ...ownership,
        visibility: repositoryVisibility.optional(),
      })
      .refine(
        ({ name, displayName }) => (name ?? displayName) !== undefined,
        'must have a name or a displayName',
      ),
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('NameAlreadyExists') }),
      z.object({ result: z.literal('Created'), ...repository }),
    ]),
  }),
  repositories_DeleteRepository: command({
    doc: 'Deletes a repository with its packages, versions and assets; owners only.',
    input: z.object(repository),
    output: empty,
  }),
  repositories_SetDisplayName: command({
    doc: 'Renames a repository; Invalid if the name is taken, or kept for a repository that had it; owners only.',
    input: z.object({ ...repository, displayName: anyName }),
    output: empty,
  }),
  repositories_SetSlug: command({
    doc: 'Renames a repository, whose name is its slug, too; Invalid if the name is kept for a repository that had it; owners only.',
    input: z.object({ ...repository, slug: anyName }),
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('Success') }),
      z.object({ result: z.literal('SlugAlreadyExists') }),
    ]),
  }),
  repositories_SetRepositoryVisibility: command({
    doc: 'Makes a repository public or private, which ends the links to projects that no owner of it made or confirmed; owners only.',
    input: z.object({ ...repository, visibility: repositoryVisibility }),
    output: empty,
  }),
  repositories_SetQuota: command({
    doc: 'Sets how many bytes and assets a repository may have, without a value as many as fit; administrators only.',
    input: z.object({ ...repository, maxBytes: uint64.optional(), maxAssets: uint64.optional() }),
    output: empty,
  }),
  repositories_QueryRepositoryProjects: pagedQuery({
    doc: 'Lists the projects that a repository is linked to, ordered by name; members of the repository only.',
    reads: ['repositories', 'projects', 'devices'],
    input: z.object(repository),
    output: z.object({
      projects: z.array(
        z.object({
          projectId: ids.project.schema,
          name: text,
          /** How many devices of the project may read the repository. */
          devices: uint32,
          /** Whether an owner of the repository made or confirmed the link, so that it stays when the repository becomes private. */
          isConfirmed: z.boolean(),
        }),
      ),
    }),
  }),
  repositories_QueryAuditLogEvents: pagedQuery({
    doc: 'Lists the audit events of a repository, newest first.',
    reads: ['log'],
    input: z.object({ ...repository, ...logPage }),
    output: z.object({ events: z.array(auditLogEvent) }),
  }),
} as const;
