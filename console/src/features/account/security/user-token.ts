import type { Output } from '@corral/contract';
import { terms } from '../../../copy/terms.ts';

/** An API token of the user, without its secret. */
export type UserToken = Output<'users_QueryUserTokens'>['tokens'][number];

/** The displayed name of a token. */
export function userTokenName({ name }: UserToken): string {
  return name === undefined || name.trim() === '' ? terms.unnamed : name;
}
