import { z } from 'zod';
import { command, query } from '../define.ts';
import { ids } from '../ids.ts';
import { empty, text, timestamp, uint32 } from '../scalars.ts';

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
  users_GetProvider: query({
    doc: 'Returns what to enter at the provider, whether a sign-in has proved its settings, and who is linked there; administrators by session only.',
    reads: ['settings', 'users'],
    input: empty,
    output: z.object({
      callbackUrl: text,
      /** To which the provider reports that a session there has ended. */
      logoutUrl: text,
      /** When an administrator signed in there with the present settings; until then the provider is not offered to others. */
      testedAt: timestamp.optional(),
      linkedCount: uint32,
      /** The e-mail addresses of the first of them. */
      linked: z.array(text),
    }),
  }),
  users_UnlinkIdentity: command({
    doc: 'Unlinks an identity from a user, unless the user could not sign in any more; for the user and administrators.',
    input: z.object({ userId: ids.user.schema, issuer: text, subject: text }),
    output: empty,
  }),
} as const;
