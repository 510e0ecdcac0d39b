import { z } from 'zod';
import { command, query } from '../define.ts';
import { ids } from '../ids.ts';
import { empty, text, timestamp } from '../scalars.ts';

/** The actions of identities, with which people sign in at the provider of the instance. */
export const identitiesActions = {
  users_GetUserIdentities: query({
    doc: 'Returns the identities at providers with which a user can sign in; for the user and administrators.',
    reads: ['users'],
    input: z.object({ userId: ids.user.schema }),
    output: z.object({
      identities: z.array(
        z.object({
          issuer: text,
          subject: text,
          /** As the provider last said; it may be another's. */
          email: text.optional(),
          name: text.optional(),
          linkedAt: timestamp,
          lastUsedAt: timestamp.optional(),
        }),
      ),
    }),
  }),
  users_UnlinkIdentity: command({
    doc: 'Unlinks an identity from a user, unless the user could not sign in any more; for the user and administrators.',
    input: z.object({ userId: ids.user.schema, issuer: text, subject: text }),
    output: empty,
  }),
} as const;
