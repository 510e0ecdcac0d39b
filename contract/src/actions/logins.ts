import { z } from 'zod';
import { command } from '../define.ts';
import { tokenAccess, tokenVerb } from '../enums.ts';
import { ids } from '../ids.ts';
import { maxTokenBounds } from '../rules.ts';
import { empty, listOf, nameText, text, timestamp, uint32 } from '../scalars.ts';

/** What a command line asks for; see the bounds of user tokens. */
const requestedBounds = {
  access: tokenAccess.optional(),
  verbs: listOf(tokenVerb, tokenVerb.options.length).optional(),
  projects: listOf(ids.project.schema, maxTokenBounds).optional(),
  repositories: listOf(ids.repository.schema, maxTokenBounds).optional(),
  administrator: z.boolean().optional(),
};

/** The actions by which a command line gets a user token: it shows a code, which its user confirms in the console. */
export const loginsActions = {
  users_RequestLogin: command({
    doc: 'Asks for a user token: returns a code that a signed-in user confirms in the console, and a secret to fetch the token with; anybody may ask.',
    input: z.object({
      /** What asks, such as the name of a machine; the token gets this name. */
      name: nameText,
      ...requestedBounds,
      /** For how many days the token is to be good; 90 by default. */
      validForDays: uint32.optional(),
    }),
    output: z.object({
      secret: text,
      userCode: text,
      /** The page at which the code is confirmed. */
      url: text,
      expiresAt: timestamp,
      /** How long to wait between two calls of users_RedeemLogin, in seconds. */
      intervalSecs: uint32,
    }),
  }),
  users_RedeemLogin: command({
    doc: 'Fetches the user token that was asked for, once a user has confirmed its code; at most once a second.',
    input: z.object({ secret: text }),
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('Pending') }),
      z.object({ result: z.literal('Denied') }),
      z.object({ result: z.literal('Expired') }),
      z.object({
        result: z.literal('Approved'),
        userId: ids.user.schema,
        tokenId: ids.userTokenId.schema,
        token: ids.userToken.schema,
        expiresAt: timestamp,
      }),
    ]),
    audit: 'none',
  }),
  users_FindLogin: command({
    doc: 'Returns what is asked for with a code, for the user who is to confirm it; five wrong codes are allowed in ten minutes.',
    input: z.object({ userCode: text }),
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('NotFound') }),
      z.object({
        result: z.literal('Found'),
        userCode: text,
        name: text,
        /** The address that asked, as far as the hub knows it. */
        address: text.optional(),
        createdAt: timestamp,
        expiresAt: timestamp,
        ...requestedBounds,
        validForDays: uint32,
      }),
    ]),
    audit: 'none',
  }),
  users_DecideLogin: command({
    doc: 'Approves or denies what is asked for with a code, for the calling user; needs a session.',
    input: z.object({ userCode: text, isApproved: z.boolean() }),
    output: empty,
  }),
} as const;
