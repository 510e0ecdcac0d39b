import { z } from 'zod';
import { command, query } from '../define.ts';
import { ciKind } from '../enums.ts';
import { ids } from '../ids.ts';
import { maxConditionsOfPublisher } from '../publisher-rules.ts';
import { anyName, empty, listOf, nameText, text, timestamp } from '../scalars.ts';

const repository = { repositoryId: ids.repository.schema };

/** What a CI is and which of its jobs are meant. */
const publisher = {
  kind: ciKind,
  /** The issuer of its tokens, one of those that the administrator of the instance allows. */
  issuer: text,
  /** What claims of a token must be, letter by letter; that of a ref may end with *. */
  conditions: listOf(z.object({ claim: text, expected: text }), maxConditionsOfPublisher),
  /** Whether jobs of pull requests and merge requests may publish; false by default. */
  allowsPullRequests: z.boolean().optional(),
};

/** Actions on the jobs of a CI that may publish to a repository without a stored secret. */
export const publishersActions = {
  repositories_GetPublishers: query({
    doc: 'Returns what may publish to a repository from a CI, and which of its tokens were refused last; owners only.',
    reads: ['publishers'],
    input: z.object(repository),
    output: z.object({
      /** The audience that tokens must have. */
      audience: text,
      /** The issuers that the administrator of the instance allows. */
      issuers: z.array(text),
      publishers: z.array(
        z.object({
          publisherId: ids.publisher.schema,
          name: text,
          ...publisher,
          createdAt: timestamp,
          lastUsedAt: timestamp.optional(),
          /** The job that published last, as its CI names it. */
          lastUsedBy: text.optional(),
        }),
      ),
      /** Newest first, at most ten. */
      refusals: z.array(z.object({ at: timestamp, job: text, reason: text })),
    }),
  }),
  repositories_AddPublisher: command({
    doc: 'Allows jobs of a CI to publish to a repository; for owners, in a session.',
    input: z.object({ ...repository, name: nameText, ...publisher }),
    output: z.object({ publisherId: ids.publisher.schema }),
  }),
  repositories_DeletePublisher: command({
    doc: 'Ends that jobs of a CI may publish to a repository, and their tokens at once; for owners, in a session.',
    input: z.object({ publisherId: ids.publisher.schema }),
    output: empty,
  }),
  repositories_ExchangeIdToken: command({
    doc: 'Exchanges the ID token of a CI job for a user token that is good for 15 minutes of publishing to one repository; anybody may ask.',
    input: z.object({
      /** The name or the id of the repository. */
      repository: anyName,
      idToken: text,
    }),
    output: z.object({
      ...repository,
      /** The name of the publisher that the job is. */
      publisher: text,
      tokenId: ids.userTokenId.schema,
      token: ids.userToken.schema,
      expiresAt: timestamp,
    }),
  }),
} as const;
