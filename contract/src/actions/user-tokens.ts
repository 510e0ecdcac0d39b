import { z } from 'zod';
import { command } from '../define.ts';
import { ids } from '../ids.ts';
import { pagedQuery } from '../paging.ts';
import { empty, nameText, text, timestamp, uint32 } from '../scalars.ts';
import { tokenBounds } from '../shapes.ts';

/** The actions of the API tokens of users. */
export const userTokensActions = {
  users_QueryUserTokens: pagedQuery({
    doc: 'Lists the API tokens of a user, newest first, without their secrets.',
    reads: ['tokens'],
    input: z.object({ userId: ids.user.schema }),
    output: z.object({
      tokens: z.array(
        z.object({
          tokenId: ids.userTokenId.schema,
          createdAt: timestamp,
          name: text.optional(),
          lastUsedAt: timestamp.optional(),
          ...tokenBounds,
        }),
      ),
    }),
  }),
  users_CreateUserToken: command({
    doc: 'Creates an API token of a user, within the bounds that are given, which is good for 90 days unless validForDays or expiresAt says otherwise, and for 366 days at most; only this answer contains the secret.',
    input: z.object({
      userId: ids.user.schema,
      name: nameText.optional(),
      ...tokenBounds,
      /** Instead of expiresAt, for callers whose clock may be wrong. */
      validForDays: uint32.optional(),
    }),
    output: z.object({
      tokenId: ids.userTokenId.schema,
      token: ids.userToken.schema,
      /** Always present; optional because clients of 2025 do not know it. */
      expiresAt: timestamp.optional(),
    }),
  }),
  users_DeleteUserToken: command({
    doc: 'Deletes an API token and closes the connections made with it.',
    input: z.object({ tokenId: ids.userTokenId.schema }),
    output: empty,
  }),
} as const;
