import { z } from 'zod';
import { command } from '../define.ts';
import { ids } from '../ids.ts';
import { pagedQuery } from '../paging.ts';
import { maxTagsOfVersion } from '../repository-rules.ts';
import { tagRequests } from '../repository-shapes.ts';
import { empty, listOf, text, timestamp } from '../scalars.ts';
import { actor } from '../shapes.ts';

/** A version that a tag pointed at; it may be deleted since. */
const taggedVersion = z.object({
  versionId: ids.packageVersion.schema,
  name: text.optional(),
  exists: z.boolean(),
});

/** Actions on the tags of versions. */
export const packageTagsActions = {
  repositories_TagPackageVersion: command({
    doc: 'Points tags at a version, all or none; a locked tag is never moved.',
    input: z.object({ versionId: ids.packageVersion.schema, tags: tagRequests }),
    output: empty,
  }),
  repositories_UntagPackageVersion: command({
    doc: 'Removes tags from a version, all or none; a locked tag is never removed.',
    input: z.object({
      versionId: ids.packageVersion.schema,
      tags: listOf(z.object({ tag: text }), maxTagsOfVersion),
    }),
    output: empty,
  }),
  repositories_QueryTagHistory: pagedQuery({
    doc: 'Lists what the tags of a package pointed at, newest change first; of one tag if it is given.',
    reads: ['packages'],
    input: z.object({ packageId: ids.package.schema, tag: text.optional() }),
    output: z.object({
      moves: z.array(
        z.object({
          tag: text,
          movedAt: timestamp,
          /** Only for members of the repository. */
          actor: actor.optional(),
          /** Absent if the tag did not exist before. */
          from: taggedVersion.optional(),
          /** Absent if the tag was removed. */
          to: taggedVersion.optional(),
          locked: z.boolean(),
          /** The event in the audit log of the repository. */
          eventId: ids.auditEvent.schema,
        }),
      ),
    }),
  }),
} as const;
