import type { Output } from '@corral/contract';
import { terms } from '../../copy/terms.ts';
import type { Deletion } from '../deletion.tsx';
import { userTokensCopy } from './copy.ts';
import { deleteUserToken } from './token-data.ts';

/** An API token of the user, without its secret. */
export type UserToken = Output<'users_QueryUserTokens'>['tokens'][number];

/** The displayed name of a token. */
export function userTokenName({ name }: UserToken): string {
  return name === undefined || name.trim() === '' ? terms.unnamed : name;
}

/** Deletes user tokens. */
export const deletion: Deletion<UserToken> = {
  kind: 'token',
  keyOf: ({ tokenId }) => tokenId,
  nameOf: userTokenName,
  text: (tokens) => userTokensCopy.deleteText(tokens.length),
  perform: (run, { tokenId }) => run(deleteUserToken, { tokenId }),
};
