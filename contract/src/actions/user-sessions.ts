import { z } from 'zod';
import { command, query } from '../define.ts';
import { ids } from '../ids.ts';
import { pagedQuery } from '../paging.ts';
import { empty, listOf, text, timestamp, uint32 } from '../scalars.ts';
import { actor } from '../shapes.ts';

/** The actions of the sessions of users. */
export const userSessionsActions = {
  users_QueryUserSessions: pagedQuery({
    doc: 'Lists the sessions of a user that have not expired, newest first.',
    reads: ['sessions'],
    input: z.object({ userId: ids.user.schema }),
    output: z.object({
      sessions: z.array(
        z.object({
          sessionId: ids.session.schema,
          createdAt: timestamp,
          expiresAt: timestamp,
          userAgent: text,
          isCurrent: z.boolean().optional(),
          lastUsedAt: timestamp.optional(),
        }),
      ),
    }),
  }),
  users_GetSessionPermissions: query({
    doc: 'Returns which of these sessions have ended, and which of their users see something else than the digest says; without a digest also what; internal.',
    reads: [],
    input: z.object({
      sessions: listOf(z.object({ sessionId: ids.session.schema, digest: text.optional() }), 1000),
    }),
    output: z.object({
      ended: z.array(ids.session.schema),
      changed: z.array(
        z.object({
          userId: ids.user.schema,
          digest: text,
          seen: z
            .object({
              isAdmin: z.boolean(),
              projectIds: z.array(ids.project.schema),
              repositoryIds: z.array(ids.repository.schema),
            })
            .optional(),
        }),
      ),
    }),
  }),
  users_AuthenticateWithSessionToken: command({
    doc: 'Authenticates a session token and extends the session; internal.',
    input: z.object({ token: ids.sessionToken.schema }),
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('Invalid') }),
      z.object({
        result: z.literal('Authenticated'),
        userId: ids.user.schema,
        sessionId: ids.session.schema,
        actor: actor,
      }),
    ]),
    audit: 'none',
  }),
  users_InitiateUserSession: command({
    doc: 'Starts a session by e-mail address and password; attempts are throttled per account and address.',
    input: z.object({ email: text, password: text, userAgent: text, validForSecs: uint32.optional() }),
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('InvalidCredentials') }),
      z.object({
        result: z.literal('Created'),
        userId: ids.user.schema,
        sessionId: ids.session.schema,
        sessionToken: ids.sessionToken.schema,
      }),
    ]),
  }),
  users_TerminateUserSession: command({
    doc: 'Ends a session at once, on every node.',
    input: z.object({ sessionId: ids.session.schema }),
    output: empty,
  }),
} as const;
