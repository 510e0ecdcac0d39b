import { z } from 'zod';
import { command } from '../define.ts';
import { authenticationMethod } from '../enums.ts';
import { ids } from '../ids.ts';
import { pagedQuery } from '../paging.ts';
import { empty, text, timestamp, uint32 } from '../scalars.ts';

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
          /** How it was authenticated, in this order. */
          methods: z.array(authenticationMethod).optional(),
          authenticatedAt: timestamp.optional(),
          /** When its user last proved to be there. */
          steppedUpAt: timestamp.optional(),
          /** The address from which it was authenticated, as far as the hub knows it. */
          address: text.optional(),
        }),
      ),
    }),
  }),
  users_QuerySignIns: pagedQuery({
    doc: 'Lists the sign-ins of a user within the last 30 days, also those that failed, newest first.',
    reads: ['sessions'],
    input: z.object({ userId: ids.user.schema }),
    output: z.object({
      signIns: z.array(
        z.object({
          /** Of the audit log. */
          eventId: ids.auditEvent.schema,
          at: timestamp,
          hasSucceeded: z.boolean(),
          /** How it was authenticated, in this order; of one that failed, what was wrong. */
          methods: z.array(authenticationMethod),
          /** From where, as far as the hub knows; of one that failed only the network. */
          address: text.optional(),
          userAgent: text.optional(),
          /** The session that began; of one that failed, the session in which its user was to be confirmed. */
          sessionId: ids.session.schema.optional(),
          isCurrent: z.boolean(),
        }),
      ),
    }),
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
      /** The password was right; a second factor is missing. */
      z.object({
        result: z.literal('FactorWanted'),
        userId: ids.user.schema,
        pendingToken: ids.pendingSignIn.schema,
      }),
      /** The password was right, and the instance asks for a second factor, which the user has not set up. */
      z.object({
        result: z.literal('EnrolmentWanted'),
        userId: ids.user.schema,
        pendingToken: ids.pendingSignIn.schema,
      }),
    ]),
  }),
  users_TerminateUserSession: command({
    doc: 'Ends a session at once, on every node.',
    input: z.object({ sessionId: ids.session.schema }),
    output: empty,
  }),
} as const;
